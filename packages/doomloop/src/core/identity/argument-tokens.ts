import { type FieldMarks, isFlag, valueStart } from "./argument-sketch.ts";

/**
 * The words of a call's arguments in their order, as hashes: what tells attempts at one thing from a list that is worked through.
 *
 * A flat list of 16-bit numbers, for each word its hash, how many stems it has and whether a digit, and the stems: `fetchUserById` has the stems of fetch, user
 * and by-less id; `KX-771` has none, because it names nothing that could resemble another.
 */
export type ArgumentTokens = readonly number[];

const MAX_NUMBERS = 96;
const MAX_STEMS = 3;
/** Letters that make a stem: `search`, `searches` and `searching` share one. */
const STEM = 5;
const SHORTEST_STEM = 3;
/** Beside the number of stems: the word has a digit in it. */
export const HAS_DIGIT = 8;
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** Reads the words of canonical bytes (key text, then value, at each mark). */
export function tokensOf(bytes: Uint8Array, marks: FieldMarks): ArgumentTokens {
  const tokens: number[] = [];
  for (let field = 0; field < marks.starts.length && tokens.length < MAX_NUMBERS; field++) {
    const start = marks.starts[field]!;
    const end = Math.min(marks.starts[field + 1] ?? marks.end, bytes.length);
    const value = valueStart(bytes, start, end);
    if (!isFlag(bytes[value]!)) addTokens(tokens, bytes, value + 5, end);
  }
  return tokens;
}

function addTokens(tokens: number[], bytes: Uint8Array, start: number, end: number): void {
  let at = start;
  while (at < end && tokens.length < MAX_NUMBERS) {
    while (at < end && !isWordByte(bytes[at]!)) at++;
    const from = at;
    while (at < end && isWordByte(bytes[at]!)) at++;
    if (at > from) addToken(tokens, bytes, from, at);
  }
}

function addToken(tokens: number[], bytes: Uint8Array, start: number, end: number): void {
  let hash = OFFSET;
  const stems: number[] = [];
  let stem = OFFSET;
  let letters = 0;
  let wasLower = false;
  let hasDigit = false;
  const finish = (): void => {
    if (letters >= SHORTEST_STEM && stems.length < MAX_STEMS) stems.push(fold(stem));
    stem = OFFSET;
    letters = 0;
  };
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    const isUpper = byte >= 65 && byte <= 90;
    const lower = isUpper ? byte | 32 : byte;
    hash = Math.imul(hash ^ lower, PRIME);
    hasDigit ||= byte >= 48 && byte <= 57;
    if (!isLetter(lower) || (isUpper && wasLower)) finish();
    if (isLetter(lower) && letters < STEM) {
      stem = Math.imul(stem ^ lower, PRIME);
      letters++;
    }
    wasLower = !isUpper && isLetter(lower);
  }
  finish();
  tokens.push(fold(hash), stems.length | (hasDigit ? HAS_DIGIT : 0), ...stems);
}

/** How many stems the word has that begins here. */
export function stemsAt(tokens: ArgumentTokens, at: number): number {
  return tokens[at + 1]! & (HAS_DIGIT - 1);
}

/** The hashes of the words alone. */
export function hashesOf(tokens: ArgumentTokens): ReadonlySet<number> {
  const hashes = new Set<number>();
  for (let at = 0; at + 1 < tokens.length; at += 2 + stemsAt(tokens, at)) hashes.add(tokens[at]!);
  return hashes;
}

/**
 * A hash of 32 bits of the words in a text, leaving out those of the call: what an answer repeats of the question is not news.
 * `units` are UTF-16 units from `start` to `end`.
 */
export function hashWithout(own: ReadonlySet<number>, units: Uint16Array, start: number, end: number): number {
  let hash = OFFSET;
  let word = OFFSET;
  let length = 0;
  for (let at = start; at <= end; at++) {
    const unit = at < end ? units[at]! : 32;
    if (isWordByte(unit)) {
      word = Math.imul(word ^ (unit >= 65 && unit <= 90 ? unit | 32 : unit), PRIME);
      length++;
      continue;
    }
    if (length > 0 && !own.has(fold(word))) hash = Math.imul(hash ^ word, PRIME);
    else if (length > 0) hash = Math.imul(hash ^ 64, PRIME);
    word = OFFSET;
    length = 0;
  }
  return hash >>> 0;
}

/** Letters, digits and what joins them inside one name. */
function isWordByte(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || isLetter(byte | 32) || byte === 45 || byte === 95 || byte > 127;
}

function isLetter(byte: number): boolean {
  return (byte >= 97 && byte <= 122) || byte > 127;
}

function fold(hash: number): number {
  return (hash ^ (hash >>> 16)) & 0xffff;
}
