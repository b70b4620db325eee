import { byteWriter } from "./byte-writer.ts";
import type { Digest } from "./digest.ts";

/** That a step failed, how surely that is known, and in which way it failed. */
export interface Failure {
  /** `told`: a flag or an exit code says so. `read`: only the words of the output do. */
  readonly strength: "told" | "read";
  /** Failures of one kind share it, whatever paths, numbers and quoted names they mention. */
  readonly kind: Digest;
  /** It fails whatever is asked for, because of who asks or from where. */
  readonly isClosedDoor: boolean;
  /** It may pass by itself: somebody else is at it, or too many are. */
  readonly isBusy: boolean;
}

const SHORT = 400;
/** Behind this many characters from the end, nothing is looked for. */
const MAX_LOOKED_AT = 8192;
const END = 240;

const FAILURE_WORD =
  /\b(?:error|exception|traceback|failed|failure|fail|cannot|can't|could not|couldn't|unable|not found|no such|denied|refused|invalid|unexpected|not defined|undefined|malformed|unknown|unrecognized|did not pass|not allowed|doesn't exist|does not exist|timed out|timeout|usage:)/i;
const FAILURE_START = /^\s{0,8}(?:Traceback|fatal|panic|[A-Za-z]{0,40}(?:Error|Exception)\b|error[:[ ])/;
const FAILURE_LAST_LINE = /^(?:[\w.]{0,80}(?:Error|Exception)\b|FAILED\b|fatal:|error:)/;
/** What an output that was flagged as fine must say, and early, to be taken for a failure all the same. */
const PLAIN_FAILURE =
  /^(?:error\b|fatal\b)|\b(?:no such file|command not found|cannot execute|did not pass|permission denied|encountered an? (?:error|issue|problem))|^[\w./-]{1,80}: [^\n]{0,120}\b(?:cannot|no such|not found|denied|invalid|unrecognized|unknown|missing)\b/i;

/** How an assistant begins that was asked for something and has nothing to show. */
const APOLOGY =
  /^\s{0,8}(?:(?:i(?:'m| am) )?sorry\b|unfortunately\b|i apologi[sz]e|i (?:have )?(?:encountered|ran into) (?:an?|some) (?:error|issue|problem|difficult)|i(?:'m| am| was)? (?:unable|not able|could not|couldn't|cannot|can't|wasn't able))/i;
const MAX_APOLOGY = 2000;

/**
 * Reads whether an output tells of a failure.
 *
 * The host's flag wins, then an exit code in the text, then the words; words count only where they carry the output:
 * in a short one, at its start, or in its last line.
 */
export function readFailure(text: string, error: boolean | undefined): Failure | undefined {
  if (error === true) return failureOf(text, "told");
  if (apologises(text)) return { strength: "read", kind: kindOf("apology"), isClosedDoor: false, isBusy: false };
  if (error === false) return saysPlainly(text) ? failureOf(text, "read") : undefined;
  const code = exitCode(text);
  if (code !== undefined) return code === 0 ? undefined : failureOf(text, "told");
  return seemsFailed(text) ? failureOf(text, "read") : undefined;
}

function failureOf(text: string, strength: Failure["strength"]): Failure {
  const line = tellingLine(text);
  return {
    strength,
    kind: kindOf(withoutParticulars(line)),
    isClosedDoor: CLOSED_DOOR.test(line),
    isBusy: saysBusy(text),
  };
}

const BUSY =
  /\b(?:429|502|503|504|too many requests|rate[ _-]?limit\w{0,12}|overloaded|busy|locked|lock[ _](?:held|timeout)|(?:get|acquire|obtain|state) (?:a |the )?lock|index\.lock|in use|right now|is loading|try again|retry[ -]?(?:after|later|in)|temporar\w{0,6}|unavailable|timed? ?out|timeout|deadlock|connection (?:refused|reset)|econn\w{0,8}|throttl\w{0,6})\b/i;
const BUSY_WITHIN = 800;

function saysBusy(text: string): boolean {
  return BUSY.test(text.length > BUSY_WITHIN ? text.slice(-BUSY_WITHIN / 2) : text);
}

const CLOSED_DOOR =
  /\b(?:40[137]|unauthori[sz]ed|authentication|password|forbidden|denied|permissions?|credentials?|api[ _-]?key|quota|policy|not allowed|not permitted|rejected|read-only)\b/i;

/** The last line that says something of failure, else the last line: every traceback begins alike, the end tells. */
export function tellingLine(whole: string): string {
  const text = whole.length > MAX_LOOKED_AT ? whole.slice(-MAX_LOOKED_AT) : whole;
  let end = text.length;
  let last = "";
  for (let lines = 0; end > 0 && lines < 12; ) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + 300)).trim();
    end = start - 1;
    if (line === "" || isTag(line)) continue;
    if (FAILURE_WORD.test(line)) return line;
    if (last === "") last = line;
    lines++;
  }
  return last;
}

function kindOf(line: string): Digest {
  byteWriter.begin();
  byteWriter.text(line);
  return byteWriter.digest();
}

function apologises(text: string): boolean {
  return text.length <= MAX_APOLOGY && APOLOGY.test(text);
}

function saysPlainly(text: string): boolean {
  return text.length < SHORT && PLAIN_FAILURE.test(text);
}

function seemsFailed(text: string): boolean {
  if (text.length < SHORT) return FAILURE_WORD.test(text.replace(DENIAL, ""));
  return FAILURE_START.test(text.slice(0, 64)) || FAILURE_LAST_LINE.test(lastLine(text));
}

/** Words that speak of failure to deny it: `"errors": false`, `0 failed`, `no errors`. */
const DENIAL =
  /"?\b(?:errors?|failures?|failed|failing|exception|timed ?out)"?\s{0,2}[:=]\s{0,2}(?:false|null|none|0|\[\]|\{\}|""|'')(?![\w.])|\b(?:0|no|without|zero) (?:errors?|failures?|failed|failing|exceptions?)\b/gi;

function lastLine(text: string): string {
  const end = text.slice(-END).trimEnd();
  return end.slice(end.lastIndexOf("\n") + 1);
}

const EXIT_CODE = /\b(?:exit(?:ed)?|return)[ _-]?(?:with )?(?:code|status)\W{1,4}(-?\d{1,3})\b/i;

function exitCode(text: string): number | undefined {
  return exitCodeIn(text.slice(0, 80)) ?? (text.length > 80 ? exitCodeIn(text.slice(-80)) : undefined);
}

function exitCodeIn(text: string): number | undefined {
  if (!text.includes("code") && !text.includes("status") && !text.includes("Code")) return undefined;
  const match = EXIT_CODE.exec(text);
  return match === null ? undefined : Number(match[1]);
}

/** A line of nothing but one tag, as harnesses wrap outputs in. */
function isTag(line: string): boolean {
  return line.startsWith("<") && line.endsWith(">") && line.length < 40 && !line.includes(" ");
}

const QUOTES = "'\"`";
const MAX_BRACKETED = 120;

/** A line with quoted text, paths and numbers replaced, so that only the way of failing is left. */
function withoutParticulars(line: string): string {
  let bare = "";
  let at = 0;
  while (at < line.length && bare.length < 160) {
    const character = line[at]!;
    const close = QUOTES.includes(character) ? closingQuote(line, at) : closingBracket(line, at);
    if (close > 0) {
      bare += "Q";
      at = close + 1;
      continue;
    }
    const end = wordEnd(line, at);
    if (end === at) {
      bare += character;
      at++;
      continue;
    }
    bare += wordWithoutParticulars(line.slice(at, end));
    at = end;
  }
  return bare;
}

/** Where a quotation of at most 80 characters ends; -1 if this is an apostrophe. */
function closingQuote(line: string, open: number): number {
  if (open > 0 && isWordUnit(line.charCodeAt(open - 1))) return -1;
  const close = line.indexOf(line[open]!, open + 1);
  return close > 0 && close - open <= 81 ? close : -1;
}

/** Where a value in braces or square brackets ends, values inside it included; -1 if none begins here. */
function closingBracket(line: string, open: number): number {
  const end = Math.min(line.length, open + MAX_BRACKETED);
  let depth = 0;
  for (let at = open; at < end; at++) {
    const character = line[at]!;
    if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    if (depth === 0) return at > open ? at : -1;
  }
  return -1;
}

function wordWithoutParticulars(word: string): string {
  if (word.includes("/")) return "P";
  let bare = "";
  let wasDigit = false;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    const isDigit = unit >= 48 && unit <= 57;
    if (!isDigit) bare += word[at];
    else if (!wasDigit) bare += "#";
    wasDigit = isDigit || (wasDigit && (unit === 46 || unit === 44));
  }
  return bare;
}

function wordEnd(line: string, from: number): number {
  let at = from;
  while (at < line.length && isWordUnit(line.charCodeAt(at))) at++;
  return at;
}

function isWordUnit(unit: number): boolean {
  return (
    (unit >= 48 && unit <= 57) ||
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    unit === 46 ||
    unit === 47 ||
    unit === 95 ||
    unit === 45
  );
}
