import { beginReading, endedWord, readWords } from "./read-words.ts";

/** When a text that repeats itself is reported. */
export interface RepeatedTextOptions {
  /**
   * How often a text must be repeated in a row. More are needed if a word differs from one repetition to the next.
   * @default 5
   */
  readonly repetitions?: number;
  /**
   * Characters that the repetitions must cover together. A run of white space, of digits or of one mark counts as one character.
   * @default 300
   */
  readonly minimumLength?: number;
}

export interface TextRepeat {
  /** Characters of one repetition. */
  readonly period: number;
  /** Whole repetitions in a row. */
  readonly repetitions: number;
  /** Which text repeats: the same 32-bit number wherever in the text, and in whichever stream, it was noticed. */
  readonly identity: number;
}

/**
 * The latest words of a streamed text, and the distance at which it repeats itself.
 *
 * Plain data of at most 7,000 characters as JSON, none of them the text's own: a word is twelve bits of its hash.
 */
export type WordStream = ReturnType<typeof createWordStream>;

/** Words that are remembered, and so the longest period: in English some 2,500 characters. A power of two. */
const SIZE = 512;
const MASK = SIZE - 1;
const WORD_BITS = 0xfff;
/** That a word may bring: of more, most are marks. */
const MOST_CHARACTERS = 99;
/** What a differing word costs, in agreeing ones: a text of which more than a tenth varies is no repetition. */
const PRICE = 10;
/** Loss since the best score after which the text has moved on. */
const TOLERANCE = 6 * PRICE;

export function createWordStream() {
  return {
    reading: beginReading(),
    /** Of all words so far, whatever the numbers among them were. */
    hash: 0,
    /** How many words there were. */
    position: 0,
    /** By position, as a ring: the word; negative for a number. */
    words: [] as number[],
    /** The same for the characters that the word brought. */
    lengths: [] as number[],
    /** By a hash of three words: where such three last ended. */
    places: [] as number[],
    /** How many words back the text is compared with itself, or 0. */
    lag: 0,
    /** Words that agreed at this lag, less the price of those that differed. */
    score: 0,
    best: 0,
    /** Characters compared at this lag. */
    length: 0,
    /** Of the repetition, once it was reported; 0 before. */
    period: 0,
    identity: 0,
  };
}

/** Reads the next piece of a stream. Tells of a repetition for every piece in which it goes on. */
export function readStream(stream: WordStream, text: string, options: RepeatedTextOptions): TextRepeat | undefined {
  const { repetitions = 5, minimumLength = 300 } = options;
  let found: TextRepeat | undefined;
  readWords(stream.reading, text, (word, length) => {
    stream.hash = withWord(stream.hash, word);
    const isAgreeing = compare(stream, word < 0 ? word : word & WORD_BITS, Math.min(length, MOST_CHARACTERS));
    // The first repetition was compared with nothing.
    if (!isAgreeing || stream.score < (repetitions - 1) * stream.lag) return;
    if (stream.period === 0) measure(stream);
    const { period, identity } = stream;
    const whole = stream.length + period;
    if (whole >= minimumLength) found = { period, repetitions: Math.floor(whole / period), identity };
  });
  return found;
}

/** What the stream said so far: equal for equal words, however they came, whatever their marks and numbers. */
export function hashOf(stream: WordStream): number {
  return withWord(stream.hash, endedWord(stream.reading.kind, stream.reading.word));
}

/** All numbers count as one; 0 is no word. */
function withWord(hash: number, word: number): number {
  return word === 0 ? hash : (Math.imul(hash ^ Math.max(word, -1), 0x01000193) + 1) | 0;
}

/** Takes the next word. Does it agree with the one a lag before it? */
function compare(stream: WordStream, word: number, length: number): boolean {
  const { words, lag } = stream;
  const at = stream.position++ & MASK;
  const former = words[(at - lag) & MASK]!;
  words[at] = word;
  stream.lengths[at] = length;
  const candidate = word < 0 ? 0 : lagOfSame(stream, at);
  if (lag === 0) {
    if (candidate > 0) follow(stream, candidate);
    return false;
  }
  stream.length += length;
  if (word === former) {
    // Numbers that agree prove nothing: there are tables full of zeros.
    if (word >= 0) stream.score++;
    stream.best = Math.max(stream.best, stream.score);
    return true;
  }
  // Also for a number that counts: lines that differ in it are a list.
  stream.score -= PRICE;
  if (stream.score < 0 || stream.score < stream.best - TOLERANCE) follow(stream, candidate);
  return false;
}

/** How many words ago the latest three stood last, numbers aside; 0 if that is not known. */
function lagOfSame({ words, places }: WordStream, at: number): number {
  while (places.length < SIZE) places.push(0);
  const earlier = spread(Math.max(0, words[(at - 2) & MASK] ?? 0)) + Math.max(0, words[(at - 1) & MASK] ?? 0);
  const slot = spread(spread(earlier) + words[at]!) >>> 23;
  const former = places[slot]!;
  places[slot] = at;
  return words[former] === words[at] ? (at - former) & MASK : 0;
}

/** Begins to compare at another lag, from where the words began to agree at it. */
function follow(stream: WordStream, lag: number): void {
  const { words, lengths, position } = stream;
  const held = lag > 0 ? Math.min(position, SIZE) - lag : 0;
  Object.assign(stream, { lag, score: 0, length: 0, period: 0, identity: 0 });
  for (let age = 1; age <= held; age++) {
    const at = (position - age) & MASK;
    if (words[at] !== words[(at - lag) & MASK]) break;
    if (words[at]! >= 0) stream.score++;
    stream.length += lengths[at]!;
  }
  stream.best = stream.score;
}

/** Measures the latest repetition. Its identity is that of the words that stood in the one before it too, in any order. */
function measure(stream: WordStream): void {
  const { words, lengths, lag, position } = stream;
  let sum = 0;
  for (let age = 1; age <= Math.min(lag, SIZE); age++) {
    const at = (position - age) & MASK;
    const word = words[at]!;
    stream.period += lengths[at]!;
    if (word >= 0 && (2 * lag > SIZE || word === words[(at - lag) & MASK])) sum = (sum + spread(word)) | 0;
  }
  stream.identity ||= sum >>> 0 || 1;
}

function spread(value: number): number {
  const product = Math.imul(value, 0x9e3779b1);
  return product ^ (product >>> 15);
}
