import { byteWriter } from "./byte-writer.ts";
import type { Digest } from "./digest.ts";
import { isTemporaryPath, isVolatileWord } from "./volatile-words.ts";

/**
 * An outcome in substance: what it says once volatile words are masked, cut into small labelled segments.
 *
 * Holds hashes only, so that it can be kept at rest.
 */
export interface OutcomeProfile {
  /** The whole text after masking. Equal digests of whole texts mean: the same in substance. */
  readonly digest: Digest;
  /** Three 16-bit hashes a segment: its label, its value, and its value with numbers masked (0 if those matter). */
  readonly segments: readonly number[];
}

/** How two outcomes of the same form differ. */
export interface OutcomeDifference {
  /** Share of the segments that are equal. */
  readonly similarity: number;
  /** Labels of the segments that differ, if all of them differ in nothing but a number; else undefined. */
  readonly numbersUnder: readonly number[] | undefined;
}

const MAX_SEGMENTS = 48;
const SEGMENT_LENGTH = 3;
const MASK = "\u0001";

/** Labels whose numbers say how far something has got: never noise. */
const QUANTITIES = new Set(
  "progress percent percentage count total lines rows size bytes length done completed complete remaining left passed failed errors failures failing warnings tests step steps page offset score loss accuracy version status items results found".split(
    " ",
  ),
);

/**
 * Describes a text with its volatile words masked.
 *
 * Costs some nanoseconds a character: called late, for outcomes that are in doubt, and on an excerpt.
 */
export function describeOutcome(text: string): OutcomeProfile {
  const segments: number[] = [];
  byteWriter.begin();
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !endsSegment(text.charCodeAt(at))) continue;
    if (at > start) addSegment(text.slice(start, at), segments);
    start = at + 1;
  }
  return { digest: byteWriter.digest(), segments: trim(segments) };
}

/** Compares two outcomes segment by segment; undefined if they differ in form: then one says more than the other. */
export function compareOutcomes(one: OutcomeProfile, other: OutcomeProfile): OutcomeDifference | undefined {
  const a = one.segments;
  const b = other.segments;
  if (a.length !== b.length || a.length === 0) return undefined;
  const labels: number[] = [];
  let equal = 0;
  let isNumbersOnly = true;
  for (let at = 0; at < a.length; at += SEGMENT_LENGTH) {
    if (a[at] === b[at] && a[at + 1] === b[at + 1]) {
      equal++;
      continue;
    }
    if (a[at] === b[at] && a[at + 2] === b[at + 2] && a[at + 2] !== 0) labels.push(a[at]!);
    else isNumbersOnly = false;
  }
  return { similarity: (equal * SEGMENT_LENGTH) / a.length, numbersUnder: isNumbersOnly ? labels : undefined };
}

function addSegment(segment: string, segments: number[]): void {
  const colon = firstOf(segment, ":", "=");
  const isLabelled = colon > 0 && colon <= 64;
  const name = isLabelled ? segment.slice(0, colon) : shapeOf(segment);
  const masked = maskWords(segment);
  byteWriter.text(masked);
  segments.push(hash16(name), hash16(masked), isLabelled && !isQuantity(name) ? hash16(withoutDigits(masked)) : 0);
}

function isQuantity(name: string): boolean {
  const lastWord = name.replace(/[^A-Za-z]{1,64}$/, "").toLowerCase();
  return QUANTITIES.has(lastWord.slice(lastWord.search(/[a-z]{1,64}$/)));
}

function withoutDigits(text: string): string {
  return text.replace(/\d{1,64}/g, "#");
}

/** Keeps the first and the last segments: answers differ at their ends more often than in the middle. */
function trim(segments: number[]): number[] {
  const limit = MAX_SEGMENTS * SEGMENT_LENGTH;
  if (segments.length <= limit) return segments;
  return [...segments.slice(0, limit / 2), ...segments.slice(-limit / 2)];
}

/** A segment with its volatile words replaced and its white space folded. */
function maskWords(segment: string): string {
  let masked = "";
  let before = "";
  let at = 0;
  while (at < segment.length) {
    const unit = segment.charCodeAt(at);
    if (!isWordUnit(unit)) {
      if (unit > 32) masked += segment[at];
      else if (masked !== "" && !masked.endsWith(" ")) masked += " ";
      at++;
      continue;
    }
    const end = wordEnd(segment, at);
    const word = trimPunctuation(segment.slice(at, end));
    const isBracketed = segment.charCodeAt(at - 1) === 91 && segment.charCodeAt(end) === 93;
    if (isMasked(word, before, segment, end, isBracketed)) masked += MASK;
    else masked += segment.slice(at, end);
    before = word.toLowerCase();
    at = end;
  }
  return masked;
}

function isMasked(word: string, before: string, segment: string, end: number, isBracketed: boolean): boolean {
  if (word.length > 200) return false;
  if (isTemporaryPath(word)) return true;
  if (isBracketed && isDigits(word)) return true;
  return hasDigit(word) && isVolatileWord(word, before, nextWord(segment, end));
}

function nextWord(segment: string, from: number): string {
  let at = from;
  while (at < segment.length && segment.charCodeAt(at) === 32) at++;
  return segment.slice(at, Math.min(wordEnd(segment, at), at + 10)).toLowerCase();
}

function wordEnd(segment: string, from: number): number {
  let at = from;
  while (at < segment.length && isWordUnit(segment.charCodeAt(at))) at++;
  return at;
}

function trimPunctuation(word: string): string {
  let end = word.length;
  while (end > 1 && (word[end - 1] === "." || word[end - 1] === ":")) end--;
  return end === word.length ? word : word.slice(0, end);
}

/** A segment's label where it names none: the kind of its first word and its length class are too weak, so: its letters. */
function shapeOf(segment: string): string {
  let shape = "";
  for (let at = 0; at < segment.length && shape.length < 24; at++) {
    const unit = segment.charCodeAt(at) | 32;
    if (unit >= 97 && unit <= 122) shape += segment[at];
  }
  return shape;
}

function endsSegment(unit: number): boolean {
  return unit === 10 || unit === 44 || unit === 59 || unit === 123 || unit === 125;
}

function isWordUnit(unit: number): boolean {
  return (
    (unit >= 48 && unit <= 58) ||
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    unit === 45 ||
    unit === 46 ||
    unit === 47 ||
    unit === 95 ||
    unit > 127
  );
}

function isDigits(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) < 48 || word.charCodeAt(at) > 57) return false;
  return word.length > 0;
}

function hasDigit(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) >= 48 && word.charCodeAt(at) <= 57) return true;
  return false;
}

function firstOf(segment: string, one: string, other: string): number {
  const first = segment.indexOf(one);
  const second = segment.indexOf(other);
  return first < 0 ? second : second < 0 ? first : Math.min(first, second);
}

function hash16(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & 0xffff;
}
