import type { ArgumentText } from "./call-identity.ts";
import { FNV_START, fnv } from "./digest.ts";

/**
 * The words of a call's arguments as hashes, field by field. They tell whether calls are alike, and whether several calls are attempts at
 * one thing or a list that is worked through. A flat list of 16-bit numbers, saved as it is.
 *
 * A field is the hash of its name, the hash of its value (two numbers), and how many numbers follow. A word is its hash, the number of its
 * stems with a flag for digits, and the stems. `fetchUserById` has the stems of fetch, user and byid. `KX-771` has none, because another
 * such name is another thing, however similar.
 */
export type ArgumentWords = readonly number[];

export interface Field {
  readonly name: number;
  /** Equal for equal values. */
  readonly value: number;
  readonly words: readonly Word[];
  /** What is compared: the sorted stems, and words without a stem, all numbers as one. Empty if no word has a stem. */
  readonly parts: readonly number[];
}

export interface Word {
  readonly hash: number;
  readonly hasDigit: boolean;
  readonly stems: readonly number[];
}

const MAX_NUMBERS = 160;
/** Stands for any word of digits, or of hardly more. */
const ANY_NUMBER = -1;
const MAX_STEMS = 3;
/** Letters that make a stem: `search`, `searches` and `searching` share one. */
const STEM_LETTERS = 5;
const SHORTEST_STEM = 3;
/** Stored with the number of stems: the word has a digit in it. */
const HAS_DIGIT = 8;

/** Reads the words of arguments. */
export function wordsOf({ text, fields, end: last }: ArgumentText): ArgumentWords {
  const words: number[] = [];
  for (let field = 0; field < fields.length && words.length < MAX_NUMBERS; field++) {
    const end = Math.min(fields[field + 1] ?? last, last);
    const start = text.indexOf("\n", fields[field]) + 1;
    if (start === 0 || start >= end) continue;
    const value = hashText(text, start, end);
    words.push(hashText(text, fields[field]!, start - 1) & 0xffff, value & 0xffff, value >>> 16, 0);
    const from = words.length;
    addWords(words, text, start, end);
    words[from - 1] = words.length - from;
  }
  return words;
}

/** Calls are compared with many others, so what was unpacked is kept. */
const unpacked = new WeakMap<ArgumentWords, readonly Field[]>();

/** The fields, in order. */
export function fieldsIn(words: ArgumentWords): readonly Field[] {
  let fields = unpacked.get(words);
  if (fields === undefined) {
    fields = unpack(words);
    unpacked.set(words, fields);
  }
  return fields;
}

function unpack(words: ArgumentWords): readonly Field[] {
  const fields: Field[] = [];
  for (let at = 0; at + 3 < words.length; ) {
    const end = at + 4 + words[at + 3]!;
    const own: Word[] = [];
    for (let word = at + 4; word + 1 < end; ) {
      const stemsEnd = word + 2 + (words[word + 1]! & (HAS_DIGIT - 1));
      const hasDigit = (words[word + 1]! & HAS_DIGIT) !== 0;
      own.push({ hash: words[word]!, hasDigit, stems: words.slice(word + 2, stemsEnd) });
      word = stemsEnd;
    }
    fields.push({
      name: words[at]!,
      value: words[at + 1]! + words[at + 2]! * 0x10000,
      words: own,
      parts: own.some(({ stems }) => stems.length > 0) ? partsOf(own) : [],
    });
    at = end;
  }
  return fields;
}

function partsOf(words: readonly Word[]): readonly number[] {
  const parts = words.flatMap(({ hash, hasDigit, stems }) =>
    stems.length > 0 ? stems : [hasDigit ? ANY_NUMBER : hash],
  );
  return parts.sort((one, other) => one - other);
}

/** The hash of a field's name. */
export function hashOfName(name: string): number {
  return hashText(name, 0, name.length) & 0xffff;
}

/** The hashes of all words. */
export function hashesOf(words: ArgumentWords): ReadonlySet<number> {
  return new Set(fieldsIn(words).flatMap((field) => field.words.map(({ hash }) => hash)));
}

function addWords(words: number[], text: string, start: number, end: number): void {
  let at = start;
  while (at < end && words.length < MAX_NUMBERS) {
    while (at < end && !isWordUnit(text.charCodeAt(at))) at++;
    const from = at;
    while (at < end && isWordUnit(text.charCodeAt(at))) at++;
    if (at > from) addWord(words, text, from, at);
  }
}

function addWord(words: number[], text: string, start: number, end: number): void {
  let hash = FNV_START;
  const stems: number[] = [];
  let stem = FNV_START;
  let letters = 0;
  let wasLower = false;
  let hasDigit = false;
  const endStem = (): void => {
    if (letters >= SHORTEST_STEM && stems.length < MAX_STEMS) stems.push(foldWord(stem));
    stem = FNV_START;
    letters = 0;
  };
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    const isUpper = unit >= 65 && unit <= 90;
    hash = hashLetter(hash, unit);
    hasDigit ||= isDigit(unit);
    if (!isLetter(unit) || (isUpper && wasLower)) endStem();
    if (isLetter(unit) && letters < STEM_LETTERS) {
      stem = hashLetter(stem, unit);
      letters++;
    }
    wasLower = !isUpper && isLetter(unit);
  }
  endStem();
  words.push(foldWord(hash), stems.length | (hasDigit ? HAS_DIGIT : 0), ...stems);
}

/** The hash with one more letter, whatever its case. */
export function hashLetter(hash: number, unit: number): number {
  return fnv(hash, unit >= 65 && unit <= 90 ? unit | 32 : unit);
}

/** The 16 bits that stand for a word. */
export function foldWord(hash: number): number {
  return (hash ^ (hash >>> 16)) & 0xffff;
}

/** Letters, digits and what joins them in a name. */
export function isWordUnit(unit: number): boolean {
  return isDigit(unit) || isLetter(unit) || unit === 45 || unit === 95;
}

function isLetter(unit: number): boolean {
  return ((unit | 32) >= 97 && (unit | 32) <= 122) || unit > 127;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function hashText(text: string, start: number, end: number): number {
  let hash = FNV_START;
  for (let at = start; at < end; at++) hash = fnv(hash, text.charCodeAt(at));
  return (hash ^ (hash >>> 15)) >>> 0;
}
