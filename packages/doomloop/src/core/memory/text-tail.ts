import { packNumbers, unpackNumbers } from "./packed-numbers.ts";
import { longestPiece, readText } from "./read-text.ts";
import {
  aim,
  begin,
  counters,
  forget,
  longestPeriod,
  numberFlag,
  placeMask,
  type Stream,
  slotMask,
  type TextTailOptions,
} from "./text-stream.ts";

export interface TextRepeat {
  /** Normalised characters of one repetition. */
  readonly period: number;
  /** Whole repetitions in a row. */
  readonly repetitions: number;
  /** Normalised characters that the repetitions cover. */
  readonly length: number;
  /** Which text repeats: the same 32-bit number wherever in the text, and in whichever stream, it was noticed. */
  readonly identity: number;
}

/** What a snapshot keeps of a stream: hashes and counters, no characters. */
export interface TextTailState {
  /** The hashes of the latest positions, packed. */
  readonly hashes: string;
  /** The counters, in the order of `atRest` in this file. */
  readonly counters: readonly number[];
}

export interface TextTail {
  /**
   * Reads the next piece of the stream and returns the longest repetition that went on while it was read.
   *
   * Answers again for every piece as long as the text repeats. Of a piece of more than 65,536 characters only the end is read.
   */
  feed(text: string): TextRepeat | undefined;
  /** Forgets the stream: another text begins. */
  clear(): void;
  /** A JSON value of at most 7,000 characters from which the stream goes on exactly where it was. */
  save(): TextTailState;
}

/**
 * Remembers the end of a streamed text well enough to notice that it repeats itself, with any period up to 2,048 characters.
 *
 * A run of white space, of digits, or of one mark counts as one character, so that padding and dividers are no repetition.
 * A number that counts, another number, and another word weigh against a repetition, in this order, but do not end it.
 * The caller checks the options. A snapshot holds no characters, yet whoever guesses the text can confirm it from the hashes.
 */
export function createTextTail(options: TextTailOptions = {}, saved?: TextTailState): TextTail {
  const { repetitions = 5, minimumLength = 300 } = options;
  const limits = { repetitions, minimumLength };
  let stream = restore(saved, limits);

  return {
    feed(text) {
      if (text === "") return;
      stream ??= begin(limits);
      if (text.length > longestPiece) forget(stream);
      stream.foundLength = 0;
      readText(stream, text);
      return found(stream);
    },
    clear() {
      if (stream) forget(stream);
    },
    save() {
      return stream ? snapshot(stream) : { hashes: "", counters: [] };
    },
  };
}

function snapshot(stream: Stream): TextTailState {
  const held = stream.hashes.subarray(0, Math.min(stream.position, longestPeriod));
  return { hashes: packNumbers(held), counters: counters.map((name) => stream[name]) };
}

function restore(saved: TextTailState | undefined, limits: Required<TextTailOptions>): Stream | undefined {
  const hashes = unpackNumbers(saved?.hashes);
  const values: unknown = saved?.counters;
  if (!hashes || !Array.isArray(values) || values.length !== counters.length) return;
  if (!values.every((value) => (value | 0) === value)) return;
  const stream = begin(limits);
  for (const [index, name] of counters.entries()) stream[name] = values[index];
  if (hashes.length !== Math.min(stream.position, longestPeriod)) return;
  if (stream.lag < 0 || stream.lag > hashes.length) return;

  stream.hashes.set(hashes);
  for (let age = hashes.length; age > 0; age--) {
    const place = (stream.position - age) & placeMask;
    const key = stream.hashes[place]!;
    if (key > 0 && key < numberFlag) stream.places[key & slotMask] = place;
  }
  aim(stream);
  return stream;
}

function found(stream: Stream): TextRepeat | undefined {
  const { foundLength: length, foundLag: period, foundIdentity } = stream;
  if (length === 0) return;
  return { period, repetitions: Math.floor(length / period), length, identity: foundIdentity >>> 0 };
}
