import { packNumbers, unpackNumbers } from "./packed-numbers.ts";

export interface TextTailOptions {
  /**
   * Times that a text must stand in a row. More are needed where a word or a number differs from one to the next.
   * @default 5
   */
  repetitions?: number;
  /**
   * Normalised characters that the repetitions must cover together.
   * @default 300
   */
  minimumLength?: number;
}

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

/** The numbers that a snapshot holds, as they are before the first character. */
const atRest = {
  position: 0,
  /** Of the latest sixteen characters. */
  hash: 0,
  /** The space or mark that stands last, of which more are skipped, or 0. */
  last: 0,
  /** The value of the digits that stand last, or -1. */
  number: -1,
  /** How many characters ago a letter stood. */
  quiet: 0,
  /** The distance at which the text is compared with itself, or 0. */
  lag: 0,
  /** Positions compared at this lag. */
  span: 0,
  /** Positions that agreed, less the price of what differed. */
  score: 0,
  best: 0,
  /** Positions since the last that agreed. */
  misses: 0,
  /** Of the repetition at this lag, once it was reported; 0 before. */
  identity: 0,
};
const counters = Object.keys(atRest) as (keyof typeof atRest)[];

type Stream = typeof atRest & {
  readonly limits: Required<TextTailOptions>;
  /** By place: 0 where no letter is near, a number's value with `numberFlag`, or else the key of the characters up to there. */
  readonly hashes: Uint16Array;
  /** By the low bits of a key: the last place where one with these bits stands. */
  readonly places: Uint16Array;
  /** The score and the span that make a report at this lag. */
  goal: number;
  longEnough: number;
  /** The longest repetition within the piece that is being read; length 0 if there is none. */
  foundLength: number;
  foundLag: number;
  foundIdentity: number;
};

/** Positions that are remembered. A power of two. */
const longestPeriod = 2048;
const placeMask = longestPeriod - 1;
const slotMask = 4095;
/** Characters that a hash covers: each new one moves it on by two of its 32 bits. */
const gram = 16;
/** Positions that must agree before a difference is forgiven. */
const probation = 8;
/** What a differing character costs, in agreeing ones: text of which more than a seventh varies is no repetition. */
const price = 6;
/** A number that neither stays nor counts is news, or every table of figures would be a chant. */
const numberPrice = 10 * price;
/** Loss since the best score after which the text has moved on. */
const tolerance = 24 * price;
const longestSilence = 64;
/** Difference in length of two words that may stand in the same place. */
const longestDrift = 32;
const numberFlag = 0x8000;
const numberSign = 35;
const longestPiece = 65_536;
const longestRead = 16_384;

const letter = 0;
const digit = 1;
const space = 2;
const mark = 3;
const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32 || code === 127) return space;
  if (code >= 48 && code <= 57) return digit;
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? letter : mark;
});

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
      read(stream, text);
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

function begin(limits: Required<TextTailOptions>): Stream {
  return {
    ...atRest,
    limits,
    hashes: new Uint16Array(longestPeriod),
    places: new Uint16Array(slotMask + 1),
    goal: 0,
    longEnough: 0,
    foundLength: 0,
    foundLag: 0,
    foundIdentity: 0,
  };
}

/** The places may stay: one counts only while the key it was kept for stands there. */
function forget(stream: Stream): void {
  stream.hashes.fill(0);
  Object.assign(stream, atRest);
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

function read(stream: Stream, text: string): void {
  let { hash, last, number, quiet } = stream;
  for (let index = text.length > longestPiece ? text.length - longestRead : 0; index < text.length; index++) {
    let code = text.charCodeAt(index);
    const kind = code < 128 ? asciiKinds[code]! : kindOf(code);
    if (kind === digit) {
      number = ((number < 0 ? 0 : number * 10) + code - 48) & (numberFlag - 1);
      last = 0;
      continue;
    }
    if (number >= 0) {
      hash = ((hash << 2) + spread(numberSign)) | 0;
      quiet++;
      noteNumber(stream, quiet > gram ? 0 : numberFlag | number);
      number = -1;
    }
    if (kind === letter) {
      last = 0;
      quiet = 0;
    } else {
      if (kind === space) code = 32;
      if (code === last) continue;
      last = code;
      quiet++;
    }
    hash = ((hash << 2) + spread(code)) | 0;
    note(stream, quiet > gram ? 0 : keyOf(hash));
  }
  stream.hash = hash;
  stream.last = last;
  stream.number = number;
  stream.quiet = Math.min(quiet, gram + 1);
  if (stream.position >= 2 * longestPeriod) stream.position = longestPeriod + (stream.position & placeMask);
}

function kindOf(code: number): number {
  if (code === 0xa0 || code === 0x3000 || code === 0xfeff || (code >= 0x2000 && code < 0x2010)) return space;
  const isPunctuation = code < 0xc0 || (code > 0x200f && code < 0x2070) || (code > 0xff00 && code < 0xff10);
  const isDrawn = code >= 0x2500 && code < 0x2600;
  return isPunctuation || isDrawn || (code > 0x3000 && code < 0x3040) ? mark : letter;
}

function spread(code: number): number {
  const product = Math.imul(code, 0x9e3779b1);
  return product ^ (product >>> 15);
}

/** Never 0, and always below the flag of numbers. */
function keyOf(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 17 || 1;
}

function note(stream: Stream, key: number): void {
  const { hashes, places, lag } = stream;
  const place = stream.position++ & placeMask;
  if (key === 0) {
    hashes[place] = 0;
    passSilence(stream);
    return;
  }
  const slot = key & slotMask;
  if (lag > 0 && hashes[(place - lag) & placeMask] === key) {
    hashes[place] = key;
    places[slot] = place;
    agree(stream);
    return;
  }
  const former = places[slot]!;
  const candidate = hashes[former] === key ? (place - former) & placeMask || longestPeriod : 0;
  hashes[place] = key;
  places[slot] = place;
  if (lag > 0 || candidate > 0) differ(stream, candidate);
}

function noteNumber(stream: Stream, entry: number): void {
  const place = stream.position++ & placeMask;
  const former = stream.hashes[(place - stream.lag) & placeMask]!;
  stream.hashes[place] = entry;
  if (stream.lag === 0) return;
  if (entry === 0) passSilence(stream);
  else if (entry === former) agree(stream);
  else compareNumbers(stream, former, entry);
}

function compareNumbers(stream: Stream, former: number, entry: number): void {
  stream.span++;
  if (stream.misses > 0 || former < numberFlag) return;
  const step = (entry - former) & (numberFlag - 1);
  const isCounting = step === 1 || step === numberFlag - 1;
  stream.score -= isCounting ? Math.min(stream.lag >> 1, numberPrice) : numberPrice;
  if (isOver(stream)) stream.lag = 0;
}

/** Where no letter is near, as in rules and rows of figures, agreeing proves nothing. */
function passSilence(stream: Stream): void {
  stream.span++;
  stream.misses++;
  if (stream.misses > longestSilence) stream.lag = 0;
}

function agree(stream: Stream): void {
  stream.span++;
  stream.misses = 0;
  stream.score++;
  if (stream.score > stream.best) stream.best = stream.score;
  if (stream.score >= stream.goal && stream.span >= stream.longEnough) report(stream);
}

/** Forgives a difference if enough agreed before it; the lag may change by as much as a word is longer or shorter. */
function differ(stream: Stream, candidate: number): void {
  if (stream.lag === 0 || stream.score < probation) {
    follow(stream, candidate);
    return;
  }
  stream.span++;
  stream.misses++;
  // One character spoils a whole gram: what follows the first miss is its shadow, and free.
  if (stream.misses === 1 || stream.misses > gram) stream.score -= price;
  if (isOver(stream)) {
    follow(stream, candidate);
    return;
  }
  const drift = Math.abs(candidate - stream.lag);
  if (drift > longestDrift || drift * 4 > stream.lag) return;
  stream.lag = candidate;
  stream.misses = 0;
  aim(stream);
}

function isOver(stream: Stream): boolean {
  return stream.score < 0 || stream.score < stream.best - tolerance;
}

function follow(stream: Stream, lag: number): void {
  stream.lag = lag;
  stream.span = 0;
  stream.score = 0;
  stream.best = 0;
  stream.misses = 0;
  stream.identity = 0;
  aim(stream);
}

/** A gram agreed before the first position was compared, and the first repetition was compared with nothing. */
function aim(stream: Stream): void {
  stream.goal = (stream.limits.repetitions - 1) * stream.lag - gram;
  stream.longEnough = stream.limits.minimumLength - stream.lag - gram;
}

function report(stream: Stream): void {
  stream.identity ||= identify(stream);
  const length = stream.span + stream.lag + gram;
  if (length <= stream.foundLength) return;
  stream.foundLength = length;
  stream.foundLag = stream.lag;
  stream.foundIdentity = stream.identity;
}

function found(stream: Stream): TextRepeat | undefined {
  const { foundLength: length, foundLag: period, foundIdentity } = stream;
  if (length === 0) return;
  return { period, repetitions: Math.floor(length / period), length, identity: foundIdentity >>> 0 };
}

/** The sum of the keys that stand in most repetitions: neither where it was noticed nor a varying word changes it. */
function identify(stream: Stream): number {
  const { hashes, lag, position } = stream;
  const held = Math.max(1, Math.floor(Math.min(longestPeriod, stream.span + lag) / lag));
  const keys = new Uint16Array(held * lag);
  for (let age = 0; age < keys.length; age++) keys[age] = hashes[(position - 1 - age) & placeMask]!;
  keys.sort();
  let sum = 0;
  for (let start = 0, end = 0; start < keys.length; start = end) {
    const key = keys[start]!;
    while (end < keys.length && keys[end] === key) end++;
    if (key > 0 && key < numberFlag && (end - start) * 2 > held) sum = (sum + spread(key)) | 0;
  }
  return sum || 1;
}
