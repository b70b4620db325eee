import { foldWord, hashLetter, isWordUnit } from "../identity/argument-words.ts";
import { digestOfUnits, FNV_START, fnv } from "../identity/digest.ts";
import type { OutcomeProfile } from "./compare-outcomes.ts";

/** Half of the segments that are kept are from the end, because answers differ there more often than in the middle. */
const MAX_SEGMENTS = 32;
/** Characters that are described; an excerpt is shorter. */
const MAX_DESCRIBED = 8192;
const NO_WORDS: ReadonlySet<number> = new Set();
/** What stands in the hashed text for a volatile word, and for a number. */
const MASKED_WORD = 1;
const MASKED_NUMBER = 35;
const SPACE_UNIT = 32;
const NEWLINE_UNIT = 10;

/** What a character does: it ends a segment, separates words, or belongs to a word. */
const ENDS_SEGMENT = 0;
const SEPARATES = 1;
const JOINS = 2;
const IS_LETTER = 4;
const IS_SLASH = 8;
const IS_DIGIT = 16;
const kinds = Uint8Array.from({ length: 128 }, (_, unit) => kindOf(String.fromCharCode(unit)));

/** The text with its volatile words masked, as it is hashed. Shared, because describing is synchronous. */
const masked = new Uint16Array(MAX_DESCRIBED * 2);

/**
 * Describes a text with its volatile words masked and white space folded, cut into small segments.
 *
 * `own` are the words of the call that brought it (see `hashesOf`). No other step costs as much, so only outcomes in doubt are described,
 * and only an excerpt of each.
 */
export function describeOutcome(whole: string, own: ReadonlySet<number> = NO_WORDS): OutcomeProfile {
  const text = whole.length > MAX_DESCRIBED ? whole.slice(0, MAX_DESCRIBED) : whole;
  const ends: number[] = [];
  const hasPlainWord = mask(text, ends);
  const digest = digestOfUnits(masked.subarray(0, ends.at(-1) ?? 0));
  // An answer that is nothing but an id is what was asked for, so another id is new.
  return { digest, segments: hashSegments(hasPlainWord ? ends : copy(text.trim()), own) };
}

/** Writes the masked text and notes where its segments end. Returns whether a word of it is not masked. */
function mask(text: string, ends: number[]): boolean {
  let hasPlainWord = false;
  let length = 0;
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const start = at;
    const unit = text.charCodeAt(at++);
    let kind = kindOfUnit(unit);
    if (kind === ENDS_SEGMENT) {
      if (start > from) {
        ends.push(length);
        masked[length++] = NEWLINE_UNIT;
      }
      from = at;
    } else if (kind === SEPARATES) {
      const before = masked[length - 1];
      if (unit > SPACE_UNIT || (length > 0 && before !== SPACE_UNIT && before !== NEWLINE_UNIT))
        masked[length++] = Math.max(unit, SPACE_UNIT);
    } else {
      for (let next = kind; next > SEPARATES; at++) {
        kind |= next;
        next = at < text.length ? kindOfUnit(text.charCodeAt(at)) : ENDS_SEGMENT;
      }
      at--;
      // A word without a digit or a slash is never volatile.
      if (kind >= IS_SLASH && isVolatileAt(text, start, at, kind >= IS_DIGIT)) masked[length++] = MASKED_WORD;
      else {
        hasPlainWord ||= kind > JOINS;
        for (let place = start; place < at; place++) masked[length++] = text.charCodeAt(place);
      }
    }
  }
  if (text.length > from) ends.push(length);
  return hasPlainWord;
}

function copy(text: string): number[] {
  for (let at = 0; at < text.length; at++) masked[at] = text.charCodeAt(at);
  return text.length === 0 ? [] : [text.length];
}

function hashSegments(ends: readonly number[], own: ReadonlySet<number>): number[] {
  const segments = [0, 0];
  let numberless = FNV_START;
  for (let segment = 0; segment < ends.length; segment++) {
    if (segment === MAX_SEGMENTS / 2) segment = Math.max(segment, ends.length - MAX_SEGMENTS / 2);
    const start = segment === 0 ? 0 : ends[segment - 1]! + 1;
    const end = ends[segment]!;
    let value = FNV_START;
    let wasDigit = false;
    for (let at = start; at < end; at++) {
      const unit = masked[at]!;
      value = fnv(value, unit);
      const isDigit = unit >= 48 && unit <= 57;
      if (!isDigit || !wasDigit) numberless = fnv(numberless, isDigit ? MASKED_NUMBER : unit);
      wasDigit = isDigit;
    }
    const others = hashWithout(own, masked, start, end);
    segments.push(value & 0xffff, value >>> 16, others & 0xffff, others >>> 16);
  }
  segments[0] = numberless & 0xffff;
  segments[1] = numberless >>> 16;
  return segments;
}

/** Hashes the words between `start` and `end` without those of the call: what an answer repeats of the question is not new. */
export function hashWithout(own: ReadonlySet<number>, units: Uint16Array, start: number, end: number): number {
  let hash = FNV_START;
  let word = FNV_START;
  let length = 0;
  for (let at = start; at <= end; at++) {
    const unit = at < end ? units[at]! : SPACE_UNIT;
    if (isWordUnit(unit)) {
      word = hashLetter(word, unit);
      length++;
      continue;
    }
    if (length > 0) hash = fnv(hash, own.has(foldWord(word)) ? 64 : word);
    word = FNV_START;
    length = 0;
  }
  return hash >>> 0;
}

function kindOfUnit(unit: number): number {
  return unit < 128 ? kinds[unit]! : IS_LETTER;
}

function kindOf(character: string): number {
  if ("\n,;{}".includes(character)) return ENDS_SEGMENT;
  if (/\d/.test(character)) return IS_DIGIT;
  if (character === "/") return IS_SLASH;
  if (/[_.:-]/.test(character)) return JOINS;
  return /[a-z]/i.test(character) ? IS_LETTER : SEPARATES;
}

/** Clocks, dates, durations, addresses, ids: they change without meaning anything. Plain numbers do not: a count that grows is progress. */
const VOLATILE =
  /^(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?|\d{4}[-/]\d{2}[-/]\d{2}(?:[Tt_].{0,30})?|\d{2}[-/]\d{2}[-/]\d{4}|(?:\d{1,9}h)?(?:\d{1,9}m)?\d{1,9}(?:\.\d{1,9})?(?:[num]?s|[mh])|\d{1,6}x|(?:localhost|\d{1,3}(?:\.\d{1,3}){3}):\d{2,5}|1[5-9]\d{8}(?:\d{3})?(?:\.\d{1,9})?|\d{14,200}|0x[\da-zA-Z]{3,}|(?=[\d-]{0,50}[a-fA-F])[\da-fA-F-]{7,})$/;
/** A number or a short id, which is volatile only in a certain context. */
const VOLATILE_IN_CONTEXT = /^(?:[\d.]{1,9}|[\da-f]{6})$/;
/** After a number: it is a duration. */
const TIME_UNIT = /^ {0,3}(?:[nuµm]?s|sec(?:ond)?s?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?)(?![\w/:-])/i;
/** Before a number: it is the run's own bookkeeping. */
const BOOKKEEPING =
  /(?:^|[^\w-])(?:p?id|port|attempts?|(?:re)?try|retries|request|session|trace|span|thread|worker|elapsed|took)[^\w,;{}\n]{1,6}$/i;
/** Before an id: it was made for one call. */
const ONE_TIME =
  /(?:^|[^\w-])(?:(?:request|trace|span|correlation|transaction|invocation|idempotency)[_-]?(?:id|key)|nonce|etag|csrf_?token)[^\w,;{}\n]{1,6}$/i;
/** `[12]`, `[ref=e5]`: how tools that drive a browser number its elements, and shells their jobs. */
const NUMBERED_MARK = /\[(?:\d{1,200}|ref=[a-z]{0,3}\d{1,9})\]$/;
const TEMPORARY = ["/tmp/", "/var/folders/", "/var/tmp/"];
/** Characters before and after a word that are its context. */
const CONTEXT = 24;
const MAX_VOLATILE = 200;

/** Whether the word from `start` to `end` is volatile, by itself or in its context. `hasDigit`: it has a digit in it. */
export function isVolatileAt(text: string, start: number, end: number, hasDigit: boolean): boolean {
  if (end - start > MAX_VOLATILE) return false;
  // A full stop or colon at the end does not belong to the word.
  let last = end;
  while (last > start + 1 && (text.charCodeAt(last - 1) === 46 || text.charCodeAt(last - 1) === 58)) last--;
  const word = text.slice(start, last);
  if (!hasDigit || word.startsWith("/")) return TEMPORARY.some((path) => word.startsWith(path));
  const marked = text.slice(Math.max(0, start - "[ref=".length), end + 1);
  if (marked.endsWith("]") && NUMBERED_MARK.test(marked)) return true;
  const before = text.slice(Math.max(0, start - CONTEXT), start);
  if (!VOLATILE_IN_CONTEXT.test(word)) return VOLATILE.test(word) || ONE_TIME.test(before);
  return TIME_UNIT.test(text.slice(end, end + CONTEXT)) || BOOKKEEPING.test(before);
}

/** The beginning or the end of an output: a cheap look that tells most outputs apart before they are described. */
export type Edge = "beginning" | "ending";

const BEGINNING_LENGTH = 48;
const ENDING_LENGTH = 160;
/** Harnesses wrap outputs in tags such as `<output>`. With these, all outputs would look alike. */
const OPENING_TAGS = /^(?:<[^\n]{0,38}>\n){1,3}/;
const CLOSING_TAG = /<\/[^<\n]{0,38}$/;

/** An edge as a hash of 16 bits: the first words up to a path, which may be a temporary folder, or the words of the last line. */
export function edgeOf(excerpt: string, edge: Edge): number {
  if (edge === "beginning") {
    const start = excerpt.startsWith("<") ? (OPENING_TAGS.exec(excerpt)?.[0].length ?? 0) : 0;
    return hashOfPlainWords(excerpt, start, endOfBeginning(excerpt, start));
  }
  let text = excerpt.trimEnd();
  if (text.endsWith(">")) text = text.replace(CLOSING_TAG, "").trimEnd();
  return hashOfPlainWords(text, Math.max(text.lastIndexOf("\n") + 1, text.length - ENDING_LENGTH), text.length);
}

function endOfBeginning(text: string, start: number): number {
  const limit = start + BEGINNING_LENGTH;
  const path = text.slice(start, limit).indexOf("/");
  if (path >= 0 || text.length < limit) return path >= 0 ? start + path : text.length;
  // The last word may be cut.
  let end = limit;
  while (end > start && isNameUnit(text.charCodeAt(end - 1))) end--;
  return end;
}

/** Leaves out numbers and ids, which have digits in them and may vary. */
function hashOfPlainWords(text: string, start: number, end: number): number {
  let hash = FNV_START;
  let word = hash;
  let isPlain = true;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (!isNameUnit(unit)) {
      if (isPlain) hash = word;
      word = hash;
      isPlain = true;
    } else if (unit >= 48 && unit <= 57) isPlain = false;
    else if (unit !== 45) word = fnv(word, unit | 32);
  }
  return (isPlain ? word : hash) & 0xffff;
}

function isNameUnit(unit: number): boolean {
  const letter = unit | 32;
  return (letter >= 97 && letter <= 122) || (unit >= 48 && unit <= 57) || unit === 45;
}
