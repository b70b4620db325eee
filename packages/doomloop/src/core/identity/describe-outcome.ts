import { hashWithout } from "./argument-tokens.ts";
import { digestOfWords } from "./byte-writer.ts";
import { BEARS_NUMBER, type OutcomeProfile, SEGMENT_LENGTH } from "./outcome-profile.ts";
import { isTemporaryPath, isVolatileWord } from "./volatile-words.ts";

const NO_WORDS: ReadonlySet<number> = new Set();
const MAX_SEGMENTS = 32;
/** Characters that are read; an excerpt is shorter. */
const MAX_READ = 8192;
/** Characters by which a segment that bears no label is known. */
const UNLABELLED = 24;
const MAX_LABEL = 64;
const MASK = 1;
const NUMBER = 35;
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** The text with its volatile words masked, as it is hashed. Shared: describing is synchronous. */
const masked = new Uint16Array(MAX_READ * 2);
const maskedWords = new Int32Array(masked.buffer);

/**
 * Describes a text with its volatile words masked.
 *
 * `own` are the words of the call that brought it (see `hashesOf`). One pass over the characters, and a closer look only at words with a digit or a slash: without those no word is
 * volatile. Still the dearest thing done to an outcome, so it is done late, for outcomes in doubt, on an excerpt.
 */
export function describeOutcome(whole: string, own: ReadonlySet<number> = NO_WORDS): OutcomeProfile {
  const text = whole.length > MAX_READ ? whole.slice(0, MAX_READ) : whole;
  const segments: number[] = [];
  let length = 0;
  let start = 0;
  while (start < text.length) {
    let end = start;
    while (end < text.length && !endsSegment(text.charCodeAt(end))) end++;
    if (end > start) {
      const from = length;
      length = addSegment(text, start, end, length, segments);
      const rest = hashWithout(own, masked, from, length);
      segments.push(rest & 0xffff, rest >>> 16);
      masked[length++] = 10;
    }
    start = end + 1;
  }
  return { digest: digestOfWords(masked, maskedWords, length), segments: trim(segments) };
}

/** Writes a segment masked, white space folded, and pushes its three hashes; returns where the masked text ends. */
function addSegment(text: string, start: number, end: number, from: number, segments: number[]): number {
  let length = from;
  let label = OFFSET;
  let labelEnd = -1;
  let letters = 0;
  let value = OFFSET;
  let numberless = OFFSET;
  let hasNumber = false;
  let before = "";
  let at = start;
  while (at < end) {
    const unit = text.charCodeAt(at);
    if (!isWordUnit(unit)) {
      at++;
      if (labelEnd < 0 && (unit === 58 || unit === 61) && at - start > 1 && at - start <= MAX_LABEL) labelEnd = at - 1;
      if (unit <= 32 && (length === from || masked[length - 1] === 32)) continue;
      const written = Math.max(unit, 32);
      masked[length++] = written;
      value = Math.imul(value ^ written, PRIME);
      numberless = Math.imul(numberless ^ written, PRIME);
      continue;
    }
    const wordStart = at;
    let isPlain = true;
    for (; at < end && isWordUnit(text.charCodeAt(at)); at++) isPlain &&= isLetter(text.charCodeAt(at));
    if (labelEnd < 0 && letters < UNLABELLED) {
      for (let place = wordStart; place < at && letters < UNLABELLED; place++) {
        const letter = text.charCodeAt(place);
        if (isLetter(letter)) {
          label = Math.imul(label ^ letter, PRIME);
          letters++;
        }
      }
    }
    let isMasked = false;
    if (!isPlain) {
      const word = trimPunctuation(text, wordStart, at);
      isMasked = at - wordStart <= 200 && isVolatileAt(text, word, before, wordStart, at, end);
      // A label may stand inside a word: `took=3ms`, `a:b` is one word to the eye.
      if (labelEnd < 0 && text.charCodeAt(at - 1) === 58 && at - start <= MAX_LABEL) labelEnd = at - 1;
      before = word.toLowerCase();
    } else before = text.slice(wordStart, at).toLowerCase();
    if (isMasked) {
      masked[length++] = MASK;
      value = Math.imul(value ^ MASK, PRIME);
      numberless = Math.imul(numberless ^ MASK, PRIME);
      continue;
    }
    for (let place = wordStart; place < at; place++) {
      const letter = text.charCodeAt(place);
      masked[length++] = letter;
      value = Math.imul(value ^ letter, PRIME);
      if (letter < 48 || letter > 57) numberless = Math.imul(numberless ^ letter, PRIME);
      else {
        hasNumber = true;
        if (place === wordStart || !isDigit(text.charCodeAt(place - 1)))
          numberless = Math.imul(numberless ^ NUMBER, PRIME);
      }
    }
  }
  segments.push(fold(label), fold(value), hasNumber ? fold(numberless) | BEARS_NUMBER : 0);
  return length;
}

function isVolatileAt(text: string, word: string, before: string, start: number, end: number, limit: number): boolean {
  if (isTemporaryPath(word)) return true;
  if (!hasDigit(word)) return false;
  const isBracketed = text.charCodeAt(start - 1) === 91 && text.charCodeAt(end) === 93;
  if (isBracketed && isDigits(word)) return true;
  // `[ref=e52]`, as browsers that are driven by tools name their elements.
  if (before === "ref" && text.charCodeAt(start - 1) === 61 && text.charCodeAt(end) === 93) return true;
  return isVolatileWord(word, before, nextWord(text, end, limit));
}

/** Keeps the first and the last segments: answers differ at their ends more often than in the middle. */
function trim(segments: number[]): number[] {
  const limit = MAX_SEGMENTS * SEGMENT_LENGTH;
  if (segments.length <= limit) return segments;
  return [...segments.slice(0, limit / 2), ...segments.slice(-limit / 2)];
}

function nextWord(text: string, from: number, limit: number): string {
  let at = from;
  while (at < limit && text.charCodeAt(at) === 32) at++;
  let end = at;
  while (end < limit && end - at < 10 && isWordUnit(text.charCodeAt(end))) end++;
  return text.slice(at, end).toLowerCase();
}

/** A word without the full stop or colon behind it. */
function trimPunctuation(text: string, start: number, end: number): string {
  let last = end;
  while (last > start + 1 && (text.charCodeAt(last - 1) === 46 || text.charCodeAt(last - 1) === 58)) last--;
  return text.slice(start, last);
}

function endsSegment(unit: number): boolean {
  return unit === 10 || unit === 44 || unit === 59 || unit === 123 || unit === 125;
}

function isWordUnit(unit: number): boolean {
  return isLetter(unit) || (unit >= 45 && unit <= 58) || unit === 95 || unit > 127;
}

function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isDigits(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (!isDigit(word.charCodeAt(at))) return false;
  return word.length > 0;
}

function hasDigit(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (isDigit(word.charCodeAt(at))) return true;
  return false;
}

function fold(hash: number): number {
  return (hash ^ (hash >>> 16)) & 0xffff;
}
