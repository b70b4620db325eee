import type { ArgumentText } from "./call-identity.ts";
import { foldWord, hashLetters, isDigit, isLetter, isWordUnit, NO_LETTERS } from "./word-hash.ts";

/**
 * The words of a call's arguments, field by field, as hashes: what tells whether calls are alike, and attempts at one thing from a list
 * that is worked through. A flat list of 16-bit numbers, to be saved as it is.
 *
 * A field is the hash of its name, its value's (two numbers) and how many numbers follow. A word is its hash, how many stems it has and whether
 * a digit, and the stems: `fetchUserById` has the stems of fetch, user and by-less id; `KX-771` has none, because it names nothing that could resemble another.
 */
export type ArgumentWords = readonly number[];

export interface Field {
  readonly name: number;
  /** Equal for equal values. */
  readonly value: number;
  readonly words: readonly Word[];
  /**
   * The stems in order of their hashes; of a word that has none itself, whatever number it bears. Empty without any stem: another number, or
   * another `a17`, is another thing, however much alike.
   */
  readonly parts: readonly number[];
}

export interface Word {
  readonly hash: number;
  readonly hasDigit: boolean;
  readonly stems: readonly number[];
}

const MAX_NUMBERS = 160;
/** Stands for any word of digits alone, or of hardly more. */
const NUMBER = -1;
const MAX_STEMS = 3;
/** Letters that make a stem: `search`, `searches` and `searching` share one. */
const STEM = 5;
const SHORTEST_STEM = 3;
/** Beside the number of stems: the word has a digit in it. */
const HAS_DIGIT = 8;

/** Reads the words of arguments. Flags are left out: they say how, not what. */
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

/** What was unpacked before: calls are compared with many others. */
const unpacked = new WeakMap<ArgumentWords, readonly Field[]>();

/** The fields that were read, in order. */
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
  const parts: number[] = [];
  for (const { hash, hasDigit, stems } of words) {
    if (stems.length > 0) parts.push(...stems);
    else parts.push(hasDigit ? NUMBER : hash);
  }
  return parts.sort((one, other) => one - other);
}

/** The hash by which a field's name is known. */
export function hashOfName(name: string): number {
  return hashText(name, 0, name.length) & 0xffff;
}

/** The hashes of all words. */
export function hashesOf(words: ArgumentWords): ReadonlySet<number> {
  const hashes = new Set<number>();
  for (let at = 0; at + 3 < words.length; ) {
    const end = at + 4 + words[at + 3]!;
    for (let word = at + 4; word < end; word += 2 + (words[word + 1]! & (HAS_DIGIT - 1))) hashes.add(words[word]!);
    at = end;
  }
  return hashes;
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
  let hash = NO_LETTERS;
  const stems: number[] = [];
  let stem = NO_LETTERS;
  let letters = 0;
  let wasLower = false;
  let hasDigit = false;
  const endStem = (): void => {
    if (letters >= SHORTEST_STEM && stems.length < MAX_STEMS) stems.push(foldWord(stem));
    stem = NO_LETTERS;
    letters = 0;
  };
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    const isUpper = unit >= 65 && unit <= 90;
    hash = hashLetters(hash, unit);
    hasDigit ||= isDigit(unit);
    if (!isLetter(unit) || (isUpper && wasLower)) endStem();
    if (isLetter(unit) && letters < STEM) {
      stem = hashLetters(stem, unit);
      letters++;
    }
    wasLower = !isUpper && isLetter(unit);
  }
  endStem();
  words.push(foldWord(hash), stems.length | (hasDigit ? HAS_DIGIT : 0), ...stems);
}

/** A hash of 32 bits. */
function hashText(text: string, start: number, end: number): number {
  let hash = NO_LETTERS;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
