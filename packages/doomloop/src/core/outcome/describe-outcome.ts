import { digestOfUnits } from "../identity/digest.ts";
import { hashWithout } from "../identity/word-hash.ts";
import type { OutcomeProfile } from "./compare-outcomes.ts";
import { isVolatileAt } from "./volatile-words.ts";

const NO_WORDS: ReadonlySet<number> = new Set();
/** As many segments are kept, half of them from the end: answers differ at their ends more often than in the middle. */
const MAX_SEGMENTS = 32;
/** Characters that are read; an excerpt is shorter. */
const MAX_READ = 8192;
const MASK = 1;
const BLANK = 32;
const NEWLINE = 10;
const NUMBER = 35;
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** What a character is to the words of a text: it ends a segment, stands between words, or is one of a word's. */
const END = 0;
const BETWEEN = 1;
const JOINT = 2;
const LETTER = 4;
const SLASH = 8;
const DIGIT = 16;
const kinds = Uint8Array.from({ length: 128 }, (_, unit) => kindOf(String.fromCharCode(unit)));

/** The text with its volatile words masked, as it is hashed. Shared: describing is synchronous. */
const masked = new Uint16Array(MAX_READ * 2);

/**
 * Describes a text with its volatile words masked and white space folded, cut into small segments.
 *
 * `own` are the words of the call that brought it (see `hashesOf`). The dearest thing done to an outcome, so it is done late, for outcomes in doubt, on an excerpt.
 */
export function describeOutcome(whole: string, own: ReadonlySet<number> = NO_WORDS): OutcomeProfile {
  const text = whole.length > MAX_READ ? whole.slice(0, MAX_READ) : whole;
  const ends: number[] = [];
  const isTelling = mask(text, ends);
  const digest = digestOfUnits(masked.subarray(0, ends.at(-1) ?? 0));
  // An answer that is nothing but an id is what was asked for: another id is news.
  return { digest, segments: hashSegments(isTelling ? ends : copy(text.trim()), own) };
}

/** Writes a text masked and notes where its segments end. Returns whether any word of it is not masked. */
function mask(text: string, ends: number[]): boolean {
  let isTelling = false;
  let length = 0;
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const start = at;
    const unit = text.charCodeAt(at++);
    let kind = kindOfUnit(unit);
    if (kind === END) {
      if (start > from) {
        ends.push(length);
        masked[length++] = NEWLINE;
      }
      from = at;
    } else if (kind === BETWEEN) {
      // White space is folded.
      if (unit > BLANK || (length > 0 && masked[length - 1] !== BLANK && masked[length - 1] !== NEWLINE))
        masked[length++] = Math.max(unit, BLANK);
    } else {
      for (let next = kind; next > BETWEEN; at++) {
        kind |= next;
        next = at < text.length ? kindOfUnit(text.charCodeAt(at)) : END;
      }
      at--;
      // Without a digit or a slash no word is volatile.
      if (kind >= SLASH && isVolatileAt(text, start, at, kind >= DIGIT)) masked[length++] = MASK;
      else {
        isTelling ||= kind > JOINT;
        for (let place = start; place < at; place++) masked[length++] = text.charCodeAt(place);
      }
    }
  }
  if (text.length > from) ends.push(length);
  return isTelling;
}

function copy(text: string): number[] {
  for (let at = 0; at < text.length; at++) masked[at] = text.charCodeAt(at);
  return text.length === 0 ? [] : [text.length];
}

function hashSegments(ends: readonly number[], own: ReadonlySet<number>): number[] {
  const segments = [0, 0];
  let numberless = OFFSET;
  for (let segment = 0; segment < ends.length; segment++) {
    if (segment === MAX_SEGMENTS / 2) segment = Math.max(segment, ends.length - MAX_SEGMENTS / 2);
    const start = segment === 0 ? 0 : ends[segment - 1]! + 1;
    const end = ends[segment]!;
    let value = OFFSET;
    let wasDigit = false;
    for (let at = start; at < end; at++) {
      const unit = masked[at]!;
      value = Math.imul(value ^ unit, PRIME);
      const isDigit = unit >= 48 && unit <= 57;
      if (!isDigit || !wasDigit) numberless = Math.imul(numberless ^ (isDigit ? NUMBER : unit), PRIME);
      wasDigit = isDigit;
    }
    const others = hashWithout(own, masked, start, end);
    segments.push(value & 0xffff, value >>> 16, others & 0xffff, others >>> 16);
  }
  segments[0] = numberless & 0xffff;
  segments[1] = numberless >>> 16;
  return segments;
}

function kindOfUnit(unit: number): number {
  return unit < 128 ? kinds[unit]! : LETTER;
}

function kindOf(character: string): number {
  if ("\n,;{}".includes(character)) return END;
  if (/\d/.test(character)) return DIGIT;
  if (character === "/") return SLASH;
  if (/[_.:-]/.test(character)) return JOINT;
  return /[a-z]/i.test(character) ? LETTER : BETWEEN;
}
