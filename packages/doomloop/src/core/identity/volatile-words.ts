/**
 * What changes from one telling to the next without meaning anything: times, ids, durations, addresses, temporary paths.
 *
 * Plain numbers are not in here: a count that grows is progress. What else varies in a tool's answers is learned.
 */

/** Words behind a number that make it a duration. */
const DURATION_UNITS = new Set(
  "ns us µs ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours".split(" "),
);

/** Words before a number that make it the run's own bookkeeping. */
const COUNTED_BY = new Set(
  "pid port attempt attempts try retry retries request requestid id session trace span thread worker elapsed took".split(
    " ",
  ),
);

/** Names of values that are made for one call: `request_id`, `traceId`, `etag`. */
export const NAMES_ONE_TIME =
  /^(?:(?:request|trace|span|correlation|transaction|invocation|idempotency)[_-]?(?:id|key)|nonce|etag|csrf_?token)$/i;

const DIGIT = 1;
const HEX_LETTER = 2;
const OTHER_LETTER = 4;
const COLON = 8;
const DASH = 16;
const SLASH = 32;
const DOT = 64;

/** Whether a word is volatile, given the words on either side of it (lower case, empty at an end). */
export function isVolatileWord(word: string, before: string, after: string): boolean {
  const length = word.length;
  const signs = signsOf(word);
  if ((signs & DIGIT) === 0) return false;
  const hasLetters = (signs & (HEX_LETTER | OTHER_LETTER)) !== 0;
  if (!hasLetters) {
    if ((signs & COLON) !== 0 && (signs & SLASH) === 0) return isClock(word) || isEndpoint(word);
    if ((signs & (DASH | SLASH)) !== 0) return length >= 8 && length <= 10 && isDate(word);
    if (length >= 10 && (signs & DOT) === 0) return true;
    return DURATION_UNITS.has(after) || COUNTED_BY.has(before);
  }
  if ((signs & SLASH) !== 0) return isTemporaryPath(word);
  if (word.startsWith("0x") && length > 4) return true;
  if ((signs & OTHER_LETTER) === 0 && (signs & (DOT | COLON)) === 0) {
    return length >= (before === "id" ? 6 : 7) && (signs & HEX_LETTER) !== 0;
  }
  if (NAMES_ONE_TIME.test(before)) return true;
  return isTimestamp(word) || isDuration(word) || isEndpoint(word) || isOrdinalTimes(word);
}

/** Whether a word is a path into a folder for temporary files, with or without digits in it. */
export function isTemporaryPath(word: string): boolean {
  return word.startsWith("/tmp/") || word.startsWith("/var/folders/") || word.startsWith("/var/tmp/");
}

function signsOf(word: string): number {
  let signs = 0;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    if (unit >= 48 && unit <= 57) signs |= DIGIT;
    else if ((unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70)) signs |= HEX_LETTER;
    else if (unit === 58) signs |= COLON;
    else if (unit === 45) signs |= DASH;
    else if (unit === 47) signs |= SLASH;
    else if (unit === 46) signs |= DOT;
    else signs |= OTHER_LETTER;
  }
  return signs;
}

const CLOCK = /^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?$/;
const DATE = /^(?:\d{4}[-/]\d{2}[-/]\d{2}|\d{2}[-/]\d{2}[-/]\d{4})$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}[Tt_]\d{2}[:-]\d{2}/;
const DURATION = /^(?:\d{1,9}h)?(?:\d{1,9}m)?\d{1,9}(?:\.\d{1,9})?(?:ns|us|ms|s|m|h)$/;
const ENDPOINT = /^(?:localhost|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}):\d{2,5}$/;
const TIMES = /^\d{1,6}x$/;

function isClock(word: string): boolean {
  return CLOCK.test(word);
}

function isDate(word: string): boolean {
  return DATE.test(word);
}

function isTimestamp(word: string): boolean {
  return word.length <= 40 && TIMESTAMP.test(word);
}

function isDuration(word: string): boolean {
  return word.length <= 32 && DURATION.test(word);
}

function isEndpoint(word: string): boolean {
  return word.length <= 32 && ENDPOINT.test(word);
}

/** "read 3x": how often, not what. */
function isOrdinalTimes(word: string): boolean {
  return TIMES.test(word);
}
