import { type Digest, digestOf } from "../identity/digest.ts";

/** How surely a step failed, and in which way. */
export interface Failure {
  /** `told`: a flag or an exit code says so. `read`: only the words of the output do. */
  readonly strength: "told" | "read";
  /** The same for failures of one kind, whatever paths, numbers and quoted names they mention. */
  readonly kind: Digest;
  /** The same for failures that differ only in times and ids. */
  readonly line: Digest;
  /** It fails whatever is asked for, because of who or where the caller is. */
  readonly isClosedDoor: boolean;
  /** The call itself is wrong, and stays wrong. */
  readonly isFaultyCall: boolean;
  /** It may go away without a change: something is locked, overloaded or rate-limited. */
  readonly isBusy: boolean;
}

/** Shorter outputs may mention failure anywhere. Of longer ones, only the beginning and the end are read. */
const SHORT_OUTPUT = 400;
const START_LENGTH = 80;
const END_LENGTH = 240;
const MAX_APOLOGY = 2000;
/** Only this many characters at the end are searched for the telling line. */
const MAX_SEARCHED = 8192;
const MAX_LINES = 12;
const MAX_LINE = 300;
const MAX_KIND = 160;

const FAILURE_WORD =
  /\b(?:error|exception|traceback|failed|failure|fail|cannot|can't|could not|couldn't|unable|not found|no such|denied|refused|invalid|unexpected|not defined|undefined|malformed|unknown|unrecognized|did not pass|not allowed|doesn't exist|does not exist|read-only file system|no space left|not permitted|timed out|timeout|usage:)/i;
/** Words that mention failure to deny it (`"errors": false`, `0 failed`, `no I/O errors`), or to set something (`timeout: 5`). */
const DENIAL =
  /"?\b(?:errors?|failures?|failed|failing|exception|timed ?out)"?\s{0,2}[:=]\s{0,2}(?:false|null|none|0|\[\]|\{\}|""|'')(?![\w.])|\b(?:0|no|without|zero) (?!such\b)(?:[\w/-]{1,20} ){0,3}?(?:errors?|failures?|failed|failing|exceptions?)\b|\btime ?out(?:[_ -]?m?s)?["']?\s{0,2}[:=]\s{0,2}["']?\d/gi;
/** Words that mean failure wherever they stand. */
const SAYS_FAILED =
  /\b(?:traceback|failed|cannot|can't|could not|couldn't|unable|not found|no such|denied|refused|not defined|malformed|unrecogni[sz]ed|did not pass|not allowed|doesn't exist|does not exist|read-only file system|no space left|not permitted|timed out|usage:)/i;
/** Other words mean failure at the beginning of a line, at the end of a sentence, before a colon, or after words such as "an" and "got". */
const NAMES_FAILURE =
  /^\W{0,8}(?:[\w']{1,20} )?(?:errors?|exception|failures?|fail|invalid|unexpected|undefined|unknown|timeout)\b|\b(?:errors?|exception|failures?|fail|invalid|unexpected|undefined|unknown|timeout)["']?\s{0,2}(?:[:.!]|$)|\b(?:an?|with|the|is|was|got|returned|threw|raised|internal|server|syntax|http) (?:errors?|exception|failures?|invalid|unexpected|undefined|unknown|timeout)\b/im;
const FAILURE_START = /^\s{0,8}(?:Traceback|fatal|panic|[A-Za-z]{0,40}(?:Error|Exception)\b|error[:[ ])/;
const FAILURE_LAST_LINE = /^(?:[\w.]{0,80}(?:Error|Exception)\b|FAILED\b|fatal:|error:)/;
/** How an assistant begins its answer if it could not do what it was asked for. */
const APOLOGY =
  /^\s{0,8}(?:(?:i(?:'m| am) )?sorry\b|unfortunately\b|i apologi[sz]e|i (?:have )?(?:encountered|ran into) (?:an?|some) (?:error|issue|problem|difficult)|i(?:'m| am| was)? (?:unable|not able|could not|couldn't|cannot|can't|wasn't able))/i;
const APOLOGETIC = digestOf("apology");
const EXIT_CODE = /\b(?:exit(?:ed)?|return)[ _-]?(?:with )?(?:code|status)\W{1,4}(-?\d{1,3})\b/i;
const CLOSED_DOOR =
  /\b(?:40[137]|unauthori[sz]ed|authentication|password|forbidden|denied|permissions?|credentials?|api[ _-]?key|quota|policy|not allowed|not permitted|rejected|read-only)\b/i;
const FAULTY_CALL =
  /\b(?:syntax|malformed|invalid|unrecogni[sz]ed|unexpected|usage:|parse error|not defined|unsupported|(?:unknown|no such|missing|required) (?:argument|option|column|field|parameter|property|command|tool|function|keyword)|(?:argument|option|column|field|parameter|property)s? (?:is|are) (?:missing|required)|validation errors?|(?:table|column|relation|function) [^ ]{1,80} (?:does not|doesn't) exist|unknown column|must have|did not use|is not (?:iterable|callable|a function)|has no attribute|unavailable tool|not a valid tool|(?:tool|function) [^ ]{1,80} (?:is )?not (?:found|available)|positional arguments?)\b/i;
const BUSY =
  /\b(?:429|502|503|504|too many requests|rate[ _-]?limit\w{0,12}|overloaded|busy|locked|lock[ _](?:is )?(?:held|taken|timeout)|not (?:yet )?ready|(?:get|acquire|obtain|state) (?:a |the )?lock|index\.lock|in use|right now|is loading|exhausted|no capacity|insufficient|(?:try|again) (?:later|in|after|shortly|soon)|retry[ -]?(?:after|later|in)|temporar\w{0,6}|unavailable(?! tool)|timed? ?out|timeout|deadlock|connection[ _](?:refused|reset)|econn\w{0,8}|throttl\w{0,6})\b/i;

/**
 * Reads whether an output reports a failure.
 *
 * The flag of the host wins, except over the exit code of a command. Without a flag, the words decide: those of a short output, and the
 * beginning and last line of a longer one.
 */
export function readFailure(text: string, error: boolean | undefined): Failure | undefined {
  if (error === true) return failureOf(text, "told");
  const code = exitCode(text);
  if (code !== undefined && code !== 0) return failureOf(text, "told");
  if (error === false || code === 0) return undefined;
  if (text.length <= MAX_APOLOGY && APOLOGY.test(text))
    return {
      strength: "read",
      kind: APOLOGETIC,
      line: APOLOGETIC,
      isClosedDoor: false,
      isFaultyCall: false,
      isBusy: false,
    };
  return seemsFailed(text) ? failureOf(text, "read") : undefined;
}

function failureOf(text: string, strength: Failure["strength"]): Failure {
  const line = tellingLine(text);
  const kind = digestOf(withoutParticulars(line));
  const own = digestOf(line.replace(VOLATILE_NUMBER, "#"));
  return {
    strength,
    kind,
    line: own,
    isClosedDoor: CLOSED_DOOR.test(line),
    isFaultyCall: FAULTY_CALL.test(line),
    isBusy: BUSY.test(text.length <= SHORT_OUTPUT ? text : line),
  };
}

function seemsFailed(text: string): boolean {
  if (text.length < SHORT_OUTPUT) {
    if (!FAILURE_WORD.test(text)) return false;
    const said = withoutNames(text.replace(DENIAL, ""));
    return SAYS_FAILED.test(said) || NAMES_FAILURE.test(said);
  }
  if (FAILURE_START.test(text.slice(0, START_LENGTH))) return true;
  const end = text.slice(-END_LENGTH).trimEnd();
  return FAILURE_LAST_LINE.test(end.slice(end.lastIndexOf("\n") + 1));
}

const WORD_IN_TEXT = /[^\s"'`,;(){}[\]<>=]+/g;
const FILE_NAME = /^[\w-]{1,60}\.[A-Za-z]\w{0,5}\W{0,3}$/;

/** The text without names: paths, addresses, files, identifiers, and single words in quotation marks. */
function withoutNames(text: string): string {
  return text.replace(WORD_IN_TEXT, (word, at: number) =>
    /[\\/_]/.test(word) || FILE_NAME.test(word) || isQuotedName(text, at, at + word.length) ? "#" : word,
  );
}

/** Whether a word stands in quotation marks, but is neither a field's name nor its value. */
function isQuotedName(text: string, start: number, end: number): boolean {
  const mark = text[start - 1];
  if (mark === undefined || !"\"'`".includes(mark) || text[end] !== mark) return false;
  return (
    !/^\s{0,2}:/.test(text.slice(end + 1, end + 4)) &&
    !/[:=[,]\s{0,2}$/.test(text.slice(Math.max(0, start - 4), start - 1))
  );
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
const VOLATILE_NUMBER = /\b(?:\d{5,99}|[\da-f]{7,99}|\d{1,9}(?:\.\d{1,9})?(?:ms|s))\b/g;

/** The line with values, quoted text, paths and numbers replaced, so that only the kind of failure is left. */
function withoutParticulars(line: string): string {
  // Twice, because a value in brackets may contain another.
  const bare = line
    .replace(BRACKETED_VALUE, "#")
    .replace(BRACKETED_VALUE, "#")
    .replace(QUOTED, "#")
    .replace(DIGITS, "#");
  if (!bare.includes("/")) return bare.slice(0, MAX_KIND);
  const words = bare.split(" ").map((word) => (word.includes("/") ? "#" : word));
  return words.join(" ").slice(0, MAX_KIND);
}
