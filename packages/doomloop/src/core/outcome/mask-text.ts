import { type Digest, digestOf, FNV_START, fnv, shortDigest } from "../identity/digest.ts";
import { latinText, writeUtf8 } from "../identity/utf8.ts";
import { isTemporaryAt, isVolatileAt, MAX_WORD } from "./volatile.ts";

/** What a text says once everything is masked that changes by itself. */
export interface MaskedText {
  /** The same for texts that differ only in clocks, dates, durations, ids and temporary paths. */
  readonly digest: Digest;
  /** Its lines and list items as hashes, without those that hold no words. */
  readonly pieces: readonly number[];
  /** A hash of what was masked: with an equal digest, it tells whether two texts are equal. */
  readonly rest: number;
  /** Hashes: of all words without digits in any order, of those with both letters and digits, of all plain numbers; and their sum. */
  readonly words: number;
  readonly names: number;
  readonly numbers: number;
  readonly sum: number;
}

/** Which words with digits are masked: clocks and the like; what is volatile, so ids that a program has made, too; all ids; all of them. */
export type Masking = "clocks" | "volatile" | "ids" | "numbers";

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
const POINT = 46;
const ZERO = 48;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const LETTER_N = 110;
/** The second of two hashes that together identify a text. */
const OTHER_START = 0x9747b28c | 0;
const OTHER_FACTOR = 0x5bd1e995;

/** Characters that nobody sees: they cannot make a text another one. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;

/** Shared by all guards of a process: reading is synchronous and runs no foreign code. */
const bytes = new Uint8Array(MAX_READ * 3);

/**
 * Masks a text, once, and cuts it into pieces. The only way in which texts are compared.
 *
 * Every outcome passes through here, so it is one loop over bytes and local variables, and hashes word by word.
 */
export function maskText(whole: string, masking: Masking = "volatile"): MaskedText {
  let read = whole.length > MAX_READ ? whole.slice(0, MAX_READ) : whole;
  let end = writeUtf8(read, bytes);
  if (end !== read.length && read.search(INVISIBLE) >= 0) {
    read = read.replace(INVISIBLE, "");
    end = writeUtf8(read, bytes);
  }
  // The same indices as the bytes. Nothing that is volatile has other letters.
  const text = end === read.length ? read : latinText(bytes.subarray(0, end));
  const pieces: number[] = [];
  let one = FNV_START;
  let other = OTHER_START;
  let rest = FNV_START;
  let words = 0;
  let names = 0;
  let numbers = 0;
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
      if (kind >= IS_SLASH && (kind < IS_DIGIT ? isTemporaryAt(text, start) : isMaskedAt(masking, text, start, at))) {
        rest = fnv(rest, word);
        mixed = MASKED;
      } else {
        mixed = word;
        if (kind >= IS_DIGIT) {
          hasDigit = true;
          if ((kind & ~JOINS) === IS_DIGIT) {
            sum += numberIn(text, start, at);
            numbers = fnv(numbers, word);
          } else names = (names + Math.imul(word, OTHER_FACTOR)) | 0;
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
  return { digest: shortDigest(one, other), pieces, rest: rest | 0, words, names, numbers, sum };
}

/** What lies between the first and the last half of so much is compared to the letter, as far as it is read. */
const MAX_SKIMMED = 98_304;
const MAX_LETTERS = 4_194_304;
/** So many of its lines are compared with those that the run knows. */
const MAX_SKIMMED_PIECES = 64;
/** A longer number is a time or an id. */
const LONGEST_NUMBER = 9;

/**
 * A long text of which only the beginning and the end were masked, with what its middle says. The middle is read in a tenth of the time: words that
 * hold a digit and anything else count as ids or clocks.
 */
export function withMiddle(masked: MaskedText, text: string, from: number, to: number): MaskedText {
  const middle: Middle = { one: FNV_START, rest: masked.rest, words: masked.words, sum: masked.sum, pieces: [] };
  const half = MAX_SKIMMED / 2;
  if (to - from <= MAX_SKIMMED) skim(text, from, to, middle);
  else {
    skim(text, from, from + half, middle);
    // They count as words: no number explains that they differ.
    middle.words = withLetters(middle.words, text, from + half, Math.min(to - half, from + MAX_LETTERS));
    skim(text, to - half, to, middle);
  }
  const { one, rest, words, sum, pieces } = middle;
  // Which lines are taken depends on the lines, so that a line more changes nothing about the others.
  const share = 2 ** Math.ceil(Math.log2(Math.max(1, pieces.length / MAX_SKIMMED_PIECES)));
  const taken = pieces.filter((piece) => (piece >>> 8) % share === 0).slice(0, MAX_SKIMMED_PIECES);
  const digest = masked.digest + shortDigest(one, words);
  return {
    digest,
    pieces: [...masked.pieces, ...taken],
    rest: rest | 0,
    words,
    names: masked.names,
    numbers: masked.numbers,
    sum,
  };
}

/** A digest of what a text says up to `end`, read as the middle of a long one. */
export function digestOfLines(text: string, end: number): Digest {
  return withMiddle(NOTHING, text, 0, end).digest;
}

const NOTHING: MaskedText = { digest: digestOf(""), pieces: [], rest: 0, words: 0, names: 0, numbers: 0, sum: 0 };

/** As many letters as are hashed at a time, four bytes in one step. */
const BATCH = 16_384;
const batch = new Uint8Array(3 * BATCH + 4);
const quartets = new Int32Array(batch.buffer);

function withLetters(hash: number, text: string, from: number, to: number): number {
  let mixed = hash;
  for (let at = from; at < to; at += BATCH) {
    const written = writeUtf8(text.slice(at, Math.min(to, at + BATCH)), batch);
    batch.fill(0, written, written + 4);
    for (let four = 0; 4 * four < written; four++) {
      mixed = fnv(mixed, quartets[four]!);
      mixed = (mixed << 13) | (mixed >>> 19);
    }
  }
  return mixed;
}

/** What the middle of a text says so far. */
interface Middle {
  one: number;
  rest: number;
  words: number;
  sum: number;
  readonly pieces: number[];
}

/** Like `maskText`, one loop over local variables. */
function skim(text: string, from: number, to: number, middle: Middle): void {
  let { one, rest, words, sum } = middle;
  let line = FNV_START;
  let letters = 0;
  for (let at = from; at < to; at++) {
    const start = at;
    let word = FNV_START;
    let kind = 0;
    let unit = text.charCodeAt(at);
    for (; at < to; unit = text.charCodeAt(++at)) {
      const next = unit < 128 ? kinds[unit]! : IS_LETTER;
      if (next <= SEPARATES) break;
      kind |= next;
      word = fnv(word, unit);
    }
    if (kind >= IS_DIGIT && ((kind & ~JOINS) !== IS_DIGIT || !isPlain(text, start, at))) rest = fnv(rest, word);
    else if (kind > 0) {
      one = fnv(one, word);
      line = fnv(line, word);
      if (kind >= IS_DIGIT) sum += numberIn(text, start, at);
      else words = (words + Math.imul(word, OTHER_FACTOR)) | 0;
      if ((kind & IS_LETTER) !== 0) letters += at - start;
    }
    if (at >= to - 1 || (unit < 128 && kinds[unit] === ENDS_PIECE)) {
      if (letters >= FEW_LETTERS) middle.pieces.push(line);
      line = FNV_START;
      letters = 0;
    }
  }
  Object.assign(middle, { one, rest, words, sum });
}

/** A number as people write it: no clock, date or address, and none in brackets, which numbers an element of a page. */
function isPlain(text: string, start: number, end: number): boolean {
  if (end - start > LONGEST_NUMBER || text.charCodeAt(start - 1) === OPENING_BRACKET) return false;
  for (let at = start + 1; at < end - 1; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== POINT && kinds[unit] === JOINS) return false;
  }
  return true;
}

/** The number in a word without letters: 12 in `:12`, none in `12:30`. */
function numberIn(text: string, start: number, end: number): number {
  let from = start;
  while (kinds[text.charCodeAt(from)] === JOINS) from++;
  let number = 0;
  for (let at = from; at < end; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9 || end - from > LONGEST_NUMBER) return Number(text.slice(from, end)) || 0;
    number = 10 * number + digit;
  }
  return number;
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

/** Whether the word from `start` to `end` is masked. It has a digit or a slash. */
function isMaskedAt(masking: Masking, text: string, start: number, end: number): boolean {
  if (isVolatileAt(text, start, end, masking === "clocks")) return true;
  return masking === "numbers" || (masking === "ids" && ID.test(text.slice(start, Math.min(end, start + MAX_WORD))));
}

function kindOf(character: string): number {
  if ("\n,;{}".includes(character)) return ENDS_PIECE;
  if (/\d/.test(character)) return IS_DIGIT;
  if (character === "/") return IS_SLASH;
  if (/[_.:-]/.test(character)) return JOINS;
  return /[a-z]/i.test(character) ? IS_LETTER : SEPARATES;
}

/** What was made has another one each time. */
const ID = /^(?=[\w.:-]{0,24}[A-Za-z])[\w.:-]{5,}$|^[A-Z]{1,6}-?\d{3,}$|^\d{5,}$/;
