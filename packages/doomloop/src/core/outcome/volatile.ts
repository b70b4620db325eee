import { wordSet } from "../collections/word-list.ts";

/** Clocks, durations, addresses: they change without meaning anything. Plain numbers do not: a count that grows is progress. Nor do days. */
const CLOCK =
  /^(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?|\d{4}[-/]\d{2}[-/]\d{2}[Tt_].{0,30}|(?:\d{1,9}h)?(?:\d{1,9}m)?\d{1,9}(?:\.\d{1,9})?(?:[num]?s|[mh])|\d{1,6}x|(?:localhost|\d{1,3}(?:\.\d{1,3}){3}):\d{2,5}|1[5-9]\d{8}(?:\d{3})?(?:\.\d{1,9})?)$/;
/** Ids that a program has made. */
const MADE_ID = /^(?:\d{14,200}|0x[\da-zA-Z]{3,}|(?=[\d-]{0,50}[a-fA-F])[\da-fA-F-]{7,})$/;
/** A date with a time, or a UUID, that is part of a name: `report_2026-03-04T10:11:12`. */
const ATTACHED = /\d{4}-\d\d-\d\d[Tt_]\d\d|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/;
const SHORTEST_ATTACHED = 17;
/** After a number: it is a duration. */
const TIME_UNITS = wordSet("ns us µs ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours");
/** The names of the run's own bookkeeping: a number after one of them says nothing. */
const BOOKKEEPING = wordSet(
  "id pid port attempt attempts try retry retries request session trace span thread worker remaining",
);
/** With `id` or `key` behind them, the names of ids that were made for one call; and names of such ids. */
const ONE_TIME = wordSet("request trace span correlation transaction invocation idempotency");
const ONE_TIME_NAMES = wordSet("nonce etag csrftoken");
const NUMBERED_MARK = /\[(?:\d{1,200}|ref=[\w-]{1,16})\]$/;
const TEMPORARY = ["/tmp/", "/var/folders/", "/var/tmp/"];
/** Longer words are no ids. */
export const MAX_WORD = 200;
const SPACE = 32;
const SLASH = 47;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
const EQUALS_SIGN = 61;
const COLON = 58;

/** Whether the word at `from` is a path of a temporary file. */
export function isTemporaryAt(text: string, from: number): boolean {
  const start = text.charCodeAt(from) === COLON ? from + 1 : from;
  return text.charCodeAt(start) === SLASH && TEMPORARY.some((path) => text.startsWith(path, start));
}

/**
 * Whether the word from `from` to `end`, which has a digit, is volatile, by itself or in its context. Most words are not, so each question
 * is asked only if the characters allow it.
 */
export function isVolatileAt(text: string, from: number, end: number, keepsIds: boolean): boolean {
  if (end - from > MAX_WORD) return false;
  // In compact JSON, the colon before a number seems to be part of it.
  const start = text.charCodeAt(from) === COLON && from + 1 < end ? from + 1 : from;
  const first = text.charCodeAt(start);
  if (first === SLASH) return isTemporaryAt(text, start);
  if (text.charCodeAt(end) === CLOSING_BRACKET && isNumberedMark(text, start, end)) return true;
  // A full stop or colon at the end does not belong to the word.
  let last = end;
  while (last > start + 1 && (text.charCodeAt(last - 1) === 46 || text.charCodeAt(last - 1) === COLON)) last--;
  if (isPlainNumber(text, start, last)) {
    if (isTimeUnit(text, end)) return true;
    const name = nameBefore(text, start);
    return !(keepsIds && name === "id") && namesBookkeeping(name);
  }
  if (mayBeVolatile(first, text.charCodeAt(last - 1))) {
    const word = text.slice(start, last);
    if (CLOCK.test(word) || (!keepsIds && MADE_ID.test(word))) return true;
  }
  if (!keepsIds && last - start >= SHORTEST_ATTACHED && ATTACHED.test(text.slice(start, last))) return true;
  return isValue(text, start) && namesOneTimeId(nameBefore(text, start));
}

/** Whether a volatile word begins and ends with these: digits, hexadecimal ones, `localhost`; units of time, `x`, `Z`. */
function mayBeVolatile(first: number, last: number): boolean {
  if (first >= 58 && first !== 108 && (first | 32) >= 103) return false;
  const end = last | 32;
  return (
    (last >= 48 && last <= 57) || (end >= 97 && end <= 102) || end === 115 || end === 109 || end === 104 || end >= 120
  );
}

/** A number of up to nine digits and points. */
function isPlainNumber(text: string, start: number, end: number): boolean {
  if (end - start > 9) return false;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if ((unit < 48 || unit > 57) && unit !== 46) return false;
  }
  return true;
}

/** Whether a word is the value of a field: a colon or an equals sign stands before it. */
function isValue(text: string, start: number): boolean {
  for (let at = start - 1; at >= 0 && at > start - 4; at--) {
    const unit = text.charCodeAt(at);
    if (unit === COLON || unit === EQUALS_SIGN) return true;
    if (unit !== SPACE && unit !== 34 && unit !== 39) return false;
  }
  return false;
}

/** `[12]`, `[ref=e5]`: how tools that drive a browser number its elements, and shells their jobs. */
function isNumberedMark(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (before !== OPENING_BRACKET && before !== EQUALS_SIGN) return false;
  return NUMBERED_MARK.test(text.slice(Math.max(0, start - "[ref=".length), end + 1));
}

/** What follows is a unit of time, so the number is a duration. */
function isTimeUnit(text: string, end: number): boolean {
  let from = end;
  while (from < end + 3 && text.charCodeAt(from) === SPACE) from++;
  // The first of the two bytes of µ.
  if (text.charCodeAt(from) === 0xc2) from++;
  const first = text.charCodeAt(from) | 32;
  // m, s, h, n, u, µ
  if (first !== 109 && first !== 115 && first !== 104 && first !== 110 && first !== 117 && first !== 181) return false;
  let last = from + 1;
  while (last < from + 8 && isNameUnit(text.charCodeAt(last))) last++;
  const next = text.charCodeAt(last);
  if (isNameUnit(next) || (next >= 45 && next <= 58 && next !== 46)) return false;
  return TIME_UNITS.has(text.slice(from, last).toLowerCase());
}

/** The letters with which such names end. */
const MAY_END = new Set([..."dtsynerkga"].map((letter) => letter.charCodeAt(0)));
const LONGEST_NAME = 40;
const MOST_MARKS = 6;

/** The name that stands before a value, in lower case, up to six marks away: `request_id` for `"request_id": `. */
function nameBefore(text: string, start: number): string {
  let end = start;
  for (let unit = text.charCodeAt(end - 1); end > 0 && !isNameUnit(unit); unit = text.charCodeAt(--end - 1))
    if (unit <= 10 || (unit >= 48 && unit <= 57) || start - end === MOST_MARKS) return "";
  if (!MAY_END.has(text.charCodeAt(end - 1) | 32)) return "";
  let from = end;
  while (from > 0 && end - from < LONGEST_NAME && isNameUnit(text.charCodeAt(from - 1))) from--;
  return from === start ? "" : text.slice(from, end).toLowerCase();
}

function isNameUnit(unit: number): boolean {
  return ((unit | 32) - 97) >>> 0 < 26 || unit === 95;
}

/** How names of durations end: `took_ms`, `totalDurationMs`. */
const DURATION_NAME = /(?:elapsed|took|duration|latency)_?(?:ms|secs|seconds)?$/;

/** Texts have few names, and each often. */
const known = new Map<string, boolean>();
const MAX_KNOWN = 256;

function namesBookkeeping(name: string): boolean {
  if (name === "") return false;
  let isOne = known.get(name);
  if (isOne === undefined) {
    if (known.size === MAX_KNOWN) known.clear();
    isOne = isBookkeeping(name);
    known.set(name, isOne);
  }
  return isOne;
}

function isBookkeeping(name: string): boolean {
  if (DURATION_NAME.test(name)) return true;
  if (BOOKKEEPING.has(name) || !name.includes("_")) return BOOKKEEPING.has(name);
  const parts = name.split("_");
  const last = parts.at(-1)!;
  return BOOKKEEPING.has(last) || (last === "id" && BOOKKEEPING.has(parts.at(-2) ?? ""));
}

function namesOneTimeId(name: string): boolean {
  if (name === "") return false;
  const plain = name.includes("_") ? name.replaceAll("_", "") : name;
  if (ONE_TIME_NAMES.has(plain)) return true;
  if (plain.endsWith("id")) return ONE_TIME.has(plain.slice(0, -2));
  return plain.endsWith("key") && ONE_TIME.has(plain.slice(0, -3));
}
