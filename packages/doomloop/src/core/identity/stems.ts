import { FNV_START, fnv } from "./digest.ts";

/** Characters of a text that are read, and stems that are kept of it. */
const MAX_READ = 1500;
const MAX_STEMS = 40;
const MAX_NUMBERS = 6;
/** Longer ones are ids. */
const MAX_NUMBER = 1e8;
/** The letters of a word that make its stem; shorter words do not count. */
const STEM_LETTERS = 5;
const SHORTEST_WORD = 3;

/**
 * The words of a text as hashes of 16 bits: of each word its first letters, of each number all of it.
 *
 * `refundPolicy`, "refund policies" and "the refund policy" share their stems, so texts that say the same in other words are alike.
 */
export function stemsOf(text: string): number[] {
  return readWords(text).stems;
}

/** A text by its words: its stems, its numbers, and a hash of all that is not a number. */
export interface TextWords {
  readonly stems: number[];
  readonly numbers: readonly number[];
  readonly shape: number;
}

export function readWords(text: string): TextWords {
  const stems: number[] = [];
  const numbers: number[] = [];
  let shape = FNV_START;
  let number = 0;
  const end = Math.min(text.length, MAX_READ);
  let hash = FNV_START;
  let letters = 0;
  let digits = 0;
  let wasLower = false;
  for (let at = 0; at <= end && stems.length < MAX_STEMS; at++) {
    const unit = at < end ? text.charCodeAt(at) : 32;
    const isUpper = unit >= 65 && unit <= 90;
    const isLower = (unit >= 97 && unit <= 122) || unit >= 128;
    const isDigit = unit >= 48 && unit <= 57;
    const isLetter = isUpper || isLower;
    const begins = isLetter ? digits > 0 || (isUpper && wasLower) : isDigit ? letters > 0 : letters + digits > 0;
    if (begins) {
      if (digits > 0 || letters >= SHORTEST_WORD) stems.push(fold(hash));
      if (digits > 0 && numbers.length < MAX_NUMBERS) numbers.push(number);
      hash = FNV_START;
      letters = 0;
      digits = 0;
    }
    if (isLetter && letters++ < STEM_LETTERS) hash = fnv(hash, isUpper ? unit | 32 : unit);
    if (isDigit) {
      number = digits++ === 0 ? unit - 48 : number < MAX_NUMBER ? number * 10 + unit - 48 : number;
      hash = fnv(hash, unit);
    } else if (at < end) shape = fnv(shape, unit);
    wasLower = isLower;
  }
  return { stems, numbers, shape: shape | 0 };
}

/** How alike two texts are by their stems, 0 to 1. */
export function likeness(one: readonly number[], other: readonly number[]): number {
  if (one.length + other.length === 0) return 1;
  let shared = 0;
  for (const stem of one) if (other.includes(stem)) shared++;
  return (2 * shared) / (one.length + other.length);
}

/** Whether two texts are alike to 1. Most are not, which their first stems show. */
export function areAlike(one: readonly number[], other: readonly number[]): boolean {
  /** How many stems the other may lack. */
  let spare = (one.length - other.length) / 2;
  for (const stem of one) if (!other.includes(stem) && --spare < 0) return false;
  return spare === 0;
}

function fold(hash: number): number {
  return (hash ^ (hash >>> 16)) & 0xffff;
}
