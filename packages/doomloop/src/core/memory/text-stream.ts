/**
 * A stream of hashes, and the distance at which it repeats itself. The algorithm behind `text-tail.ts`: each position is
 * compared with the one a lag before it, and where they differ the place that the same hash last stood at is the next lag.
 */

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

/** The numbers that a snapshot holds, as they are before the first character. */
export const atRest = {
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
export const counters: readonly (keyof typeof atRest)[] = Object.keys(atRest) as (keyof typeof atRest)[];

export type Stream = typeof atRest & {
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
export const longestPeriod = 2048;
export const placeMask = longestPeriod - 1;
export const slotMask = 4095;
/** Characters that a hash covers: each new one moves it on by two of its 32 bits. */
export const gram = 16;
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
export const numberFlag = 0x8000;
export const numberSign = 35;

export function begin(limits: Required<TextTailOptions>): Stream {
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
export function forget(stream: Stream): void {
  stream.hashes.fill(0);
  Object.assign(stream, atRest);
}

export function spread(code: number): number {
  const product = Math.imul(code, 0x9e3779b1);
  return product ^ (product >>> 15);
}

export function note(stream: Stream, key: number): void {
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

export function noteNumber(stream: Stream, entry: number): void {
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
export function aim(stream: Stream): void {
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
