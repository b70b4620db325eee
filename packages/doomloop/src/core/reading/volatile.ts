/** Clocks, dates with a time, durations, addresses with a port: they change without meaning anything. Plain numbers do not, nor do days. */
const CLOCK =
  /^(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?|\d{4}[-/]\d{2}[-/]\d{2}[Tt_].{0,30}|(?:\d{1,9}h)?(?:\d{1,9}m)?\d{1,9}(?:\.\d{1,9})?(?:[num]?s|[mh])|(?:localhost|\d{1,3}(?:\.\d{1,3}){3}):\d{2,5}|1[5-9]\d{8}(?:\d{3})?(?:\.\d{1,9})?)$/;
/** Ids that a program has made; a date with a time, or a UUID, inside a name. */
const MADE_ID =
  /^(?:\d{14,200}|0x[\da-zA-Z]{3,}|(?=[\d-]{0,50}[a-fA-F])[\da-fA-F-]{7,})$|\d{4}-\d\d-\d\d[Tt_]\d\d|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/;
/** After a number: it is a duration. */
const UNIT = /^ {0,3}(?:ns|us|µs|ms|s|sec|secs|seconds?|m|mins?|minutes?|h|hrs?|hours?)(?![\w.:/-]*\w)/i;
/** Before a number: it is bookkeeping, or an id that was made for one call. */
const BOOKKEEPING =
  /(?:^|[^a-z])(?:pid|pgid|port|attempts?|retr(?:y|ies)|thread|worker|remaining|(?:request|session|trace|span|correlation|transaction|invocation|idempotency)_?(?:id|key)?|nonce|etag|csrf_?token|(?:elapsed|took|duration|latency)_?(?:ms|secs|seconds)?)["':= \t]{1,6}$/i;
/** A folder or a file that is named after a digest. */
const DIGEST = /(?:^|[/._-])(?=[\da-f]{0,40}\d)[\da-f]{12,64}(?:$|[/._-])/;
const NUMBERED_MARK = /^\[(?:ref=)?$/;
const TEMPORARY = /^:?(?:\/tmp\/|\/var\/folders\/|\/var\/tmp\/)/;
/** Longer words are no ids. */
const LONGEST = 200;
const LONGEST_NUMBER = 9;
const LONGEST_NAME = 32;

/** Whether the word from `start` to `end`, which has a digit or a slash, changes by itself. */
export function isVolatile(text: string, start: number, end: number, hasDigit: boolean): boolean {
  if (end - start > LONGEST) return false;
  const word = text.slice(start, end).replace(/^:|[.:]$/g, "");
  if (!hasDigit) return TEMPORARY.test(word);
  if (word.includes("/")) return TEMPORARY.test(word) || DIGEST.test(word);
  // `[12]`, `[ref=e5]`: tools that drive a browser number its elements, and shells their jobs.
  if (text.charCodeAt(end) === 93 && NUMBERED_MARK.test(text.slice(Math.max(0, text.lastIndexOf("[", start)), start)))
    return true;
  if (word.length <= LONGEST_NUMBER && /^[\d.,]+$/.test(word)) {
    if (UNIT.test(text.slice(end, end + 12))) return true;
    return BOOKKEEPING.test(text.slice(Math.max(0, start - LONGEST_NAME), start));
  }
  if (CLOCK.test(word) || MADE_ID.test(word)) return true;
  return BOOKKEEPING.test(text.slice(Math.max(0, start - LONGEST_NAME), start));
}
