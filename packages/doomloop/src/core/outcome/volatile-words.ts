/**
 * What changes from one telling to the next without meaning anything: clocks, dates, durations, addresses, ids. Plain numbers are not among them: a count
 * that grows is progress.
 */
const VOLATILE =
  /^(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?|\d{4}[-/]\d{2}[-/]\d{2}(?:[Tt_].{0,30})?|\d{2}[-/]\d{2}[-/]\d{4}|(?:\d{1,9}h)?(?:\d{1,9}m)?\d{1,9}(?:\.\d{1,9})?(?:[num]?s|[mh])|\d{1,6}x|(?:localhost|\d{1,3}(?:\.\d{1,3}){3}):\d{2,5}|1[5-9]\d{8}(?:\d{3})?(?:\.\d{1,9})?|\d{14,200}|0x[\da-zA-Z]{3,}|(?=[\d-]{0,50}[a-fA-F])[\da-fA-F-]{7,})$/;
/** What is volatile only by what stands around it: a number, a short id. */
const SHORT = /^(?:[\d.]{1,9}|[\da-f]{6})$/;
/** What a number before it measures. */
const TIME_UNIT = /^ {0,3}(?:[nuµm]?s|sec(?:ond)?s?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?)(?![\w/:-])/i;
/** What a number behind it counts: the run's own bookkeeping. */
const BOOKKEEPING =
  /(?:^|[^\w-])(?:p?id|port|attempts?|(?:re)?try|retries|request|session|trace|span|thread|worker|elapsed|took)[^\w,;{}\n]{1,6}$/i;
/** What an id behind it was made for: one call. */
const ONE_TIME =
  /(?:^|[^\w-])(?:(?:request|trace|span|correlation|transaction|invocation|idempotency)[_-]?(?:id|key)|nonce|etag|csrf_?token)[^\w,;{}\n]{1,6}$/i;
/** `[12]`, `[ref=e5]`: how tools that drive a browser name its elements, and shells their jobs. */
const MARK = /\[(?:\d{1,200}|ref=[a-z]{0,3}\d{1,9})\]$/;
const MARKED_BY = "[ref=".length;
const TEMPORARY = ["/tmp/", "/var/folders/", "/var/tmp/"];
const CONTEXT = 24;
const MAX_WORD = 200;

/** Whether the word from `start` to `end` is volatile, by itself or by what stands around it. `hasDigit`: it has a digit in it. */
export function isVolatileAt(text: string, start: number, end: number, hasDigit: boolean): boolean {
  if (end - start > MAX_WORD) return false;
  // The full stop or colon behind a word is none of it.
  let last = end;
  while (last > start + 1 && (text.charCodeAt(last - 1) === 46 || text.charCodeAt(last - 1) === 58)) last--;
  const word = text.slice(start, last);
  if (!hasDigit || word.startsWith("/")) return TEMPORARY.some((path) => word.startsWith(path));
  if (text.charCodeAt(end) === 93 && MARK.test(text.slice(Math.max(0, start - MARKED_BY), end + 1))) return true;
  const before = text.slice(Math.max(0, start - CONTEXT), start);
  if (!SHORT.test(word)) return VOLATILE.test(word) || ONE_TIME.test(before);
  return TIME_UNIT.test(text.slice(end, end + CONTEXT)) || BOOKKEEPING.test(before);
}
