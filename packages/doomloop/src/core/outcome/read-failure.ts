import { FNV_START, fnv } from "../identity/digest.ts";
import { maskText } from "./mask-text.ts";

/** How a step failed. Hashes, no words. */
export interface Failure {
  /** A flag or an exit code says so. Otherwise only the words of the output do. */
  readonly isTold: boolean;
  /** The same for failures of one kind, whatever paths, numbers and quoted names they mention. */
  readonly kind: number;
  /** The same for failures that differ only in what is volatile. */
  readonly line: string;
  /** The files that it names: where it happens. */
  readonly files: number;
  /** It may pass without a change: something is locked, overloaded, limited. */
  readonly isBusy: boolean;
  /** It stays as it is, however often it is tried: the call is wrong, or the door is closed. */
  readonly isFinal: boolean;
  /** It fails whatever is asked for, because of who or where the caller is. */
  readonly isClosedDoor: boolean;
  /** What was asked for is missing, closed or broken where it is: the same for everybody. Only a fleet reads that. */
  readonly isRemote: boolean;
}

/** Shorter outputs may mention failure anywhere. Of longer ones, only the beginning and the end are read. */
const SHORT_OUTPUT = 400;
const START_LENGTH = 80;
const END_LENGTH = 300;
/** Only so much at the end is searched for the telling line. */
const MAX_SEARCHED = 4096;
const MAX_LINES = 12;
const MAX_LINE = 300;
const MAX_FILES = 4;
const FILES_SEARCHED = 1024;
const MAX_FILE_NAME = 80;

const FAILURE_WORD =
  /\b(?:error|exception|traceback|failed|failure|fail|cannot|can't|could not|couldn't|unable|not found|no such|denied|refused|invalid|unexpected|not defined|malformed|unrecogni[sz]ed|did not pass|not allowed|doesn't exist|does not exist|not permitted|timed out|timeout|fatal|panic|unknown|usage:)/i;
/** Words that mention failure to deny it (`"errors": false`, `0 failed`, `no I/O errors`), or to set something (`timeout: 5`). */
const DENIAL =
  /"?\b(?:errors?|failures?|failed|failing|exception|timed ?out)"?\s{0,2}[:=]\s{0,2}(?:false|null|none|0|\[\]|\{\}|""|'')(?![\w.])|\b(?:0|no|without|zero) (?!such\b)(?:[\w/-]{1,20} ){0,3}?(?:errors?|failures?|failed|failing|exceptions?)\b|\btime ?out(?:[_ -]?m?s)?["']?\s{0,2}[:=]\s{0,2}["']?\d/gi;
/** A test that passed, whatever its title says, and a count of none: `fail 0`. */
const PASSED = /^[ \t]{0,8}(?:[✔✓√]|ok \d{1,6} ).{0,300}|\b(?:errors?|fail|failed|failures) {1,3}0\b/gim;
/** Words that mean failure wherever they stand. */
const SAYS_FAILED =
  /\b(?:traceback|failed|cannot|can't|could not|couldn't|unable|not found|no such|denied|refused|not defined|malformed|unrecogni[sz]ed|did not pass|not allowed|doesn't exist|does not exist|not permitted|timed out|usage:)/i;
/** Other words mean failure at the beginning of a line, or before a colon or the end of a sentence. */
const NAMES_FAILURE =
  /^\W{0,8}(?:[\w']{1,20} )?(?:errors?|exception|failures?|fail|invalid|unexpected|fatal|panic|unknown)\b|\b(?:errors?|exception|invalid)["']?\s{0,2}[:.!]/im;
const FAILURE_START = /^\s{0,8}(?:Traceback|fatal|panic|[A-Za-z]{0,40}(?:Error|Exception)\b|error[:[ ])/;
/** A record begins with it: the same as "failed". */
const SAYS_FALSE = /^\W{0,8}(?:ok|success|succeeded|passed|valid)["']?\s{0,2}[:=]\s{0,2}false\b/i;
const FAILURE_LAST_LINE = /^(?:[\w.]{0,80}(?:Error|Exception)\b|FAILED\b|fatal:|error:)/;
const EXIT_CODE = /\b(?:exit(?:ed)?|return)[ _-]?(?:with )?(?:code|status)\W{1,4}(-?\d{1,3})\b/i;
const CLOSED_DOOR =
  /\b(?:40[137]|unauthori[sz]ed|authentication|password|forbidden|denied|permissions?|credentials?|api[ _-]?key|quota|policy|not allowed|not permitted|rejected|read-only)\b/i;
const FAULTY_CALL =
  /\b(?:syntax|malformed|invalid|unrecogni[sz]ed|unexpected|usage:|not defined|unsupported|missing|required|has no attribute|does(?:n't| not) exist)\b/i;
const BUSY =
  /\b(?:429|50[234]|too many requests|rate.?limit\w{0,12}|overloaded|busy|locked|lock (?:is )?held|not (?:yet )?ready|in use|(?:try again|retry).?(?:after|later|in|shortly|soon)|temporar\w{0,6}|unavailable(?! tools?\b)|time(?:d[ -]?|[ -])?out|deadlock|(?:err_)?connection[ _](?:refused|reset)|econn\w{0,8}|throttl\w{0,6}|insufficient|no capacity)\b/i;

/**
 * Reads whether an output reports a failure. The host's flag and an exit code win. Without them, the words decide: those of a short output,
 * and the beginning and last line of a longer one. `isVouched`: the host says that it is none, and what was read is no record of others' failures.
 * `isFile`: a file was asked for, so what several lines say is the file's.
 */
export function readFailure(
  text: string,
  error: boolean | undefined,
  isVouched: boolean,
  isFile = false,
): Failure | undefined {
  const code = exitCode(text);
  if (error === true || (code !== undefined && code !== 0)) return failureOf(text, true);
  if (code === 0 || (error === false && isVouched)) return undefined;
  return seemsFailed(text, isFile) ? failureOf(text, false) : undefined;
}

function failureOf(text: string, isTold: boolean): Failure {
  const line = tellingLine(text);
  return {
    isTold,
    kind: hashOf(withoutParticulars(line)),
    line: maskText(line).digest,
    files: filesIn(text),
    isBusy: BUSY.test(text.length <= SHORT_OUTPUT ? text : line),
    isFinal: CLOSED_DOOR.test(line) || FAULTY_CALL.test(line),
    isClosedDoor: CLOSED_DOOR.test(line),
    isRemote: false,
  };
}

function seemsFailed(text: string, isFile: boolean): boolean {
  const start = text.slice(0, START_LENGTH);
  if (FAILURE_START.test(start) || SAYS_FALSE.test(start)) return true;
  if (isFile && text.trimEnd().includes("\n")) return false;
  if (text.length < SHORT_OUTPUT) {
    if (!FAILURE_WORD.test(text)) return false;
    const said = withoutNames(text.replace(PASSED, "").replace(DENIAL, ""));
    return SAYS_FAILED.test(said) || NAMES_FAILURE.test(said);
  }
  const end = text.slice(-END_LENGTH).trimEnd();
  return FAILURE_LAST_LINE.test(end.slice(end.lastIndexOf("\n") + 1));
}

const WORD_IN_TEXT = /[^\s"'`,;(){}[\]<>=]+/g;
const FILE_NAME = /^[\w-]{1,60}\.[A-Za-z]\w{0,5}\W{0,3}$/;

/** The text without names of files and identifiers: `errors.ts` and `on_failure` report nothing. */
function withoutNames(text: string): string {
  return text.replace(WORD_IN_TEXT, (word) => (/[\\/_]/.test(word) || FILE_NAME.test(word) ? "#" : word));
}

function exitCode(text: string): number | undefined {
  const match = EXIT_CODE.exec(text.slice(0, START_LENGTH)) ?? EXIT_CODE.exec(text.slice(-START_LENGTH));
  return match === null ? undefined : Number(match[1]);
}

/** The last line that mentions failure, else the last line. Tracebacks all begin alike; the end tells them apart. */
export function tellingLine(whole: string): string {
  const text = whole.length > MAX_SEARCHED ? whole.slice(-MAX_SEARCHED) : whole;
  let last = "";
  for (let end = text.length, lines = 0; end > 0 && lines < MAX_LINES; ) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + MAX_LINE)).trim();
    end = start - 1;
    if (line === "" || HARNESS_TAG.test(line)) continue;
    if (FAILURE_WORD.test(line) || FAILURE_LAST_LINE.test(line)) return line;
    if (last === "") last = line;
    lines++;
  }
  return last;
}

const HARNESS_TAG = /^<[^ ]{0,37}>$/;
const BRACKETED_VALUE = /[[{][^[\]{}]{0,118}[\]}]/g;
/** An apostrophe is not a quotation mark. */
const QUOTED = /(?<![\w./-])(["'`])(?:(?!\1).){0,80}\1/g;
const DIGITS = /\d{1,99}/g;

/** The line with values, quoted text, paths and numbers replaced, so that only the kind of failure is left. */
function withoutParticulars(line: string): string {
  const bare = line.replace(BRACKETED_VALUE, "#").replace(QUOTED, "#").replace(DIGITS, "#");
  if (!bare.includes("/")) return bare.slice(0, 160);
  const words = bare.split(" ").map((word) => (word.includes("/") ? "#" : word));
  return words.join(" ").slice(0, 160);
}

/** The files that the end of a text names, as a hash: words with a dot and a short ending before a sign. */
function filesIn(whole: string): number {
  const text = whole.slice(-FILES_SEARCHED);
  const found = new Set<string>();
  for (let dot = text.indexOf("."); dot >= 0 && found.size < MAX_FILES; dot = text.indexOf(".", dot + 1)) {
    let end = dot + 1;
    while (end <= dot + 6 && isLowerCase(text.charCodeAt(end))) end++;
    if (end === dot + 1 || end > dot + 6 || !':",( '.includes(text.charAt(end) || "?")) continue;
    let start = dot;
    while (start > dot - MAX_FILE_NAME && isInPath(text.charCodeAt(start - 1))) start--;
    if (start < dot) found.add(text.slice(start, end));
  }
  return found.size === 0 ? 0 : hashOf([...found].join());
}

function isLowerCase(unit: number): boolean {
  return unit >= 97 && unit <= 122;
}

function isInPath(unit: number): boolean {
  return isLowerCase(unit | 32) || (unit >= 45 && unit <= 57) || unit === 95;
}

function hashOf(text: string): number {
  let hash = FNV_START;
  for (let at = 0; at < text.length; at++) hash = fnv(hash, text.charCodeAt(at));
  return hash | 0;
}
