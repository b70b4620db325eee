import { wordSet } from "../collections/word-list.ts";
import { type Digest, FNV_START, fnv, shortDigest } from "../identity/digest.ts";

/** What a text says once everything is masked that changes by itself. */
export interface MaskedText {
  /** The same for texts that differ only in clocks, dates, durations, ids and temporary paths. */
  readonly digest: Digest;
  /** Its lines and list items as hashes, without those that hold no words. */
  readonly pieces: readonly number[];
  /** A hash of what was masked: with an equal digest, it tells whether two texts are equal. */
  readonly rest: number;
  /** A hash of all words without digits in any order, and the sum of all plain numbers. */
  readonly words: number;
  readonly sum: number;
}

/** Which words with digits are masked: volatile ones; ids, too; all of them. */
export type Masking = "volatile" | "ids" | "numbers";

/** Characters that are read. */
const MAX_READ = 2048;
/** A piece with fewer letters says nothing, and so does a number with one word. */
const FEW_LETTERS = 4;

const ENDS_PIECE = 0;
const SEPARATES = 1;
const JOINS = 2;
const IS_LETTER = 4;
const IS_SLASH = 8;
const IS_DIGIT = 16;
/** By byte of UTF-8: whatever is not ASCII belongs to a word. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 128 ? kindOf(String.fromCharCode(byte)) : IS_LETTER,
);
const MASKED = 1;
const LINE_BREAK = 10;
const SPACE = 32;
const BACKSLASH = 92;
const LETTER_N = 110;
/** The second of two hashes that together identify a text. */
const OTHER_START = 0x9747b28c | 0;
const OTHER_FACTOR = 0x5bd1e995;

/** Shared by all guards of a process: reading is synchronous and runs no foreign code. */
const encoder = new TextEncoder();
const latin = new TextDecoder("latin1");
const bytes = new Uint8Array(MAX_READ * 3);

/**
 * Masks a text, once, and cuts it into pieces. The only way in which texts are compared.
 *
 * Every outcome passes through here, so it is one loop over bytes and local variables, and hashes word by word.
 */
export function maskText(whole: string, masking: Masking = "volatile"): MaskedText {
  const read = whole.length > MAX_READ ? whole.slice(0, MAX_READ) : whole;
  const end = encoder.encodeInto(read, bytes).written;
  // The same indices as the bytes. Nothing that is volatile has other letters.
  const text = end === read.length ? read : latin.decode(bytes.subarray(0, end));
  const pieces: number[] = [];
  let one = FNV_START;
  let other = OTHER_START;
  let rest = FNV_START;
  let words = 0;
  let sum = 0;
  let line = FNV_START;
  let piece = FNV_START;
  let letters = 0;
  let count = 0;
  let hasDigit = false;
  for (let at = 0; at <= end; ) {
    const start = at;
    const byte = at < end ? bytes[at]! : LINE_BREAK;
    at++;
    let kind = kinds[byte]!;
    let mixed = byte;
    if (kind > SEPARATES) {
      let word = fnv(FNV_START, byte);
      for (; at < end; at++) {
        const next = bytes[at]!;
        const nextKind = kinds[next]!;
        if (nextKind <= SEPARATES) break;
        kind |= nextKind;
        word = fnv(word, next);
      }
      // A word without a digit or a slash is never volatile.
      if (
        kind >= IS_SLASH &&
        (isVolatileAt(text, start, at, kind) || (kind >= IS_DIGIT && isAlsoMasked(masking, text, start, at)))
      ) {
        rest = fnv(rest, word);
        mixed = MASKED;
      } else {
        mixed = word;
        if (kind >= IS_DIGIT) {
          hasDigit = true;
          if ((kind & ~JOINS) === IS_DIGIT) sum += numberIn(text, start, at);
        } else words = (words + Math.imul(word, OTHER_FACTOR)) | 0;
        if ((kind & IS_LETTER) !== 0) {
          letters += at - start;
          count++;
        }
      }
    } else if (kind === ENDS_PIECE || (byte === BACKSLASH && bytes[at] === LETTER_N && at < end)) {
      // An escaped line break inside a JSON text ends a piece, too.
      if (byte === BACKSLASH) at++;
      if (letters >= FEW_LETTERS && !(hasDigit && count <= 1)) pieces.push(piece);
      if (line !== FNV_START) {
        one = fnv(one, line);
        other = Math.imul(other ^ line, OTHER_FACTOR);
        other ^= other >>> 15;
      }
      line = FNV_START;
      piece = FNV_START;
      letters = 0;
      count = 0;
      hasDigit = false;
      continue;
    } else if (byte <= SPACE) continue;
    line = fnv(line, mixed);
    // What comes before the first word of a piece only numbers it.
    if (letters > 0) piece = fnv(piece, mixed);
  }
  return { digest: shortDigest(one, other), pieces, rest: rest | 0, words, sum };
}

/** The number in a word without letters: 12 in `:12`, none in `12:30`. */
function numberIn(text: string, start: number, end: number): number {
  let from = start;
  while (kinds[text.charCodeAt(from)] === JOINS) from++;
  return Number(text.slice(from, end)) || 0;
}

/** Whether a text has words, and each passes a test by its hash. */
export function everyWord(text: string, test: (word: number) => boolean): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const start = at;
    let word = FNV_START;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 128 && kinds[unit]! <= SEPARATES) break;
      word = fnv(word, unit);
    }
    if (at - start <= 2) continue;
    if (!test(word)) return false;
    count++;
  }
  return count > 0;
}

function isAlsoMasked(masking: Masking, text: string, start: number, end: number): boolean {
  if (masking === "volatile") return false;
  return masking === "numbers" || ID.test(text.slice(start, Math.min(end, start + MAX_WORD)));
}

function kindOf(character: string): number {
  if ("\n,;{}".includes(character)) return ENDS_PIECE;
  if (/\d/.test(character)) return IS_DIGIT;
  if (character === "/") return IS_SLASH;
  if (/[_.:-]/.test(character)) return JOINS;
  return /[a-z]/i.test(character) ? IS_LETTER : SEPARATES;
}

/** Letters with digits, and long numbers: what was made has another one each time. */
const ID = /^(?=[\w.:-]{0,24}[A-Za-z])[\w.:-]{5,}$|^[A-Z]{1,6}-?\d{3,}$|^\d{5,}$/;
/** Clocks, dates, durations, addresses, ids: they change without meaning anything. Plain numbers do not: a count that grows is progress. */
const VOLATILE =
  /^(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?|\d{4}[-/]\d{2}[-/]\d{2}(?:[Tt_].{0,30})?|\d{2}[-/]\d{2}[-/]\d{4}|(?:\d{1,9}h)?(?:\d{1,9}m)?\d{1,9}(?:\.\d{1,9})?(?:[num]?s|[mh])|\d{1,6}x|(?:localhost|\d{1,3}(?:\.\d{1,3}){3}):\d{2,5}|1[5-9]\d{8}(?:\d{3})?(?:\.\d{1,9})?|\d{14,200}|0x[\da-zA-Z]{3,}|(?=[\d-]{0,50}[a-fA-F])[\da-fA-F-]{7,})$/;
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
const MAX_WORD = 200;
const SLASH = 47;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
const EQUALS_SIGN = 61;
const COLON = 58;

/**
 * Whether the word from `start` to `end` is volatile, by itself or in its context. Most words are not, so each question is asked only if the
 * characters allow it.
 */
function isVolatileAt(text: string, from: number, end: number, kind: number): boolean {
  if (end - from > MAX_WORD) return false;
  // In compact JSON, the colon before a number seems to be part of it.
  const start = text.charCodeAt(from) === COLON && from + 1 < end ? from + 1 : from;
  const first = text.charCodeAt(start);
  if (first === SLASH) return TEMPORARY.some((path) => text.startsWith(path, start));
  if (kind < IS_DIGIT) return false;
  if (text.charCodeAt(end) === CLOSING_BRACKET && isNumberedMark(text, start, end)) return true;
  // A full stop or colon at the end does not belong to the word.
  let last = end;
  while (last > start + 1 && (text.charCodeAt(last - 1) === 46 || text.charCodeAt(last - 1) === COLON)) last--;
  if (isPlainNumber(text, start, last)) return isTimeUnit(text, end) || namesBookkeeping(nameBefore(text, start));
  if (mayBeVolatile(first, text.charCodeAt(last - 1)) && VOLATILE.test(text.slice(start, last))) return true;
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

function namesBookkeeping(name: string): boolean {
  if (name === "") return false;
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
