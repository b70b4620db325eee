/** When a text that repeats itself is reported. */
export interface RepeatedTextOptions {
  /**
   * How often a text must be repeated in a row. It takes more repetitions if words differ from one to the next.
   * @default 5
   */
  readonly repetitions?: number;
  /**
   * Characters that the repetitions must cover together. A run of white space, of digits or of one symbol counts as one character.
   * @default 300
   */
  readonly minimumLength?: number;
}

export interface TextRepeat {
  /** Characters of one repetition. */
  readonly period: number;
  /** Whole repetitions in a row. */
  readonly repetitions: number;
  /** Which text repeats: the same 32-bit number wherever it is noticed, in any stream. */
  readonly identity: number;
}

/**
 * The latest words of a streamed text, and the distance at which it repeats itself.
 *
 * Plain data of at most 7,000 characters as JSON, without the text itself: a word is twelve bits of its hash.
 */
export type WordStream = ReturnType<typeof createWordStream>;

/** Words that are remembered, and so the longest period: about 2,500 characters of English. A power of two. */
const SIZE = 512;
const RING = SIZE - 1;
const WORD_BITS = 0xfff;
/** A word brings at most this many characters. If there are more, most are marks. */
const MOST_CHARACTERS = 99;
/** What a differing word costs, in agreeing words: a text of which more than a tenth varies is not a repetition. */
const PRICE = 10;
/** If the score has dropped this far from its best, the text has moved on. */
const MOST_LOSS = 6 * PRICE;

const WORD_LETTER = 1;
/** A letter of a script that is written without spaces, or half an emoji. */
const LONE_LETTER = 2;
const WORD_DIGIT = 3;
/** Kinds from here on are not part of a word: white space, all of it as this one, and marks. */
const WHITE_SPACE = 32;

/** The first letter of Thai. Most scripts after it in Unicode are written without spaces. */
const FIRST_LONE_LETTER = 0xe00;
/** Longer words count as several, so that an endless row of letters repeats itself, too. */
const LONGEST_WORD = 16;
const LONGEST_PIECE = 65_536;
const LONGEST_READ = 16_384;
const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => kindOf(code));

export function createWordStream() {
  return {
    reading: beginReading(),
    /** Of all words so far, with all numbers as one. */
    hash: 0,
    /** How many words there were. */
    position: 0,
    /** The word by position, as a ring; negative for a number. */
    words: [] as number[],
    /** How many characters each word brought. */
    lengths: [] as number[],
    /** By a hash of three words: where these three last ended. */
    places: [] as number[],
    /** How many words back the text is compared with itself, or 0. */
    lag: 0,
    /** Words that agreed at this lag, minus the price of those that differed. */
    score: 0,
    best: 0,
    /** Characters compared at this lag. */
    length: 0,
    /** Of the repetition, once it is reported; 0 before. */
    period: 0,
    identity: 0,
  };
}

/** Reads the next piece of a stream. Reports a repetition with every piece that continues it. */
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

/** The stream so far as a hash: equal for equal words, however they were cut, whatever their marks and numbers. */
export function hashOf(stream: WordStream): number {
  return withWord(stream.hash, endedWord(stream.reading.kind, stream.reading.word));
}

/** All numbers count as one; 0 is not a word. */
function withWord(hash: number, word: number): number {
  return word === 0 ? hash : (Math.imul(hash ^ Math.max(word, -1), 0x01000193) + 1) | 0;
}

/** Takes the next word. Returns whether it agrees with the one a lag before it. */
function compare(stream: WordStream, word: number, length: number): boolean {
  const { words, lag } = stream;
  const at = stream.position++ & RING;
  const former = words[(at - lag) & RING]!;
  words[at] = word;
  stream.lengths[at] = length;
  const candidate = word < 0 ? 0 : lagOfSame(stream, at);
  if (lag === 0) {
    if (candidate > 0) follow(stream, candidate);
    return false;
  }
  stream.length += length;
  if (word === former) {
    // Equal numbers prove nothing: some tables are full of zeros.
    if (word >= 0) stream.score++;
    stream.best = Math.max(stream.best, stream.score);
    return true;
  }
  // A number that counts up costs as much: lines that differ in it are a list.
  stream.score -= PRICE;
  if (stream.score < 0 || stream.score < stream.best - MOST_LOSS) follow(stream, candidate);
  return false;
}

/** How many words ago the latest three words last came, with all numbers as one; 0 if unknown. */
function lagOfSame({ words, places }: WordStream, at: number): number {
  if (places.length < SIZE) {
    const known = places.length;
    places.length = SIZE;
    places.fill(0, known);
  }
  const earlier = spread(Math.max(0, words[(at - 2) & RING] ?? 0)) + Math.max(0, words[(at - 1) & RING] ?? 0);
  const slot = spread(spread(earlier) + words[at]!) >>> 23;
  const former = places[slot]!;
  places[slot] = at;
  return words[former] === words[at] ? (at - former) & RING : 0;
}

/** Compares at another lag from now on, beginning where the words began to agree at it. */
function follow(stream: WordStream, lag: number): void {
  const { words, lengths, position } = stream;
  const held = lag > 0 ? Math.min(position, SIZE) - lag : 0;
  Object.assign(stream, { lag, score: 0, length: 0, period: 0, identity: 0 });
  for (let age = 1; age <= held; age++) {
    const at = (position - age) & RING;
    if (words[at] !== words[(at - lag) & RING]) break;
    if (words[at]! >= 0) stream.score++;
    stream.length += lengths[at]!;
  }
  stream.best = stream.score;
}

/** Measures the latest repetition. Its identity is made of the words that the one before it has, too, in any order. */
function measure(stream: WordStream): void {
  const { words, lengths, lag, position } = stream;
  let sum = 0;
  for (let age = 1; age <= Math.min(lag, SIZE); age++) {
    const at = (position - age) & RING;
    const word = words[at]!;
    stream.period += lengths[at]!;
    if (word >= 0 && (2 * lag > SIZE || word === words[(at - lag) & RING])) sum = (sum + spread(word)) | 0;
  }
  stream.identity ||= sum >>> 0 || 1;
}

function spread(value: number): number {
  const product = Math.imul(value, 0x9e3779b1);
  return product ^ (product >>> 15);
}

/** Where the reading of a text stands between two pieces of it: a hash and counts, no characters. */
type TextReading = ReturnType<typeof beginReading>;

export function beginReading() {
  return {
    /** The kind of the latest character. */
    kind: WHITE_SPACE,
    /** The hash of the word, or the value of the number, that may continue. */
    word: 0,
    /** How many letters that word has. */
    letters: 0,
    /** Characters since the last complete word. A row of white space, of digits or of one mark counts as one. */
    length: 0,
  };
}

/**
 * Reads on, and passes each complete word and number to `take`, with the characters since the one before.
 *
 * A word is a hash of 31 bits. A number is negative and holds its lowest eight bits: -1 is 0, -2 is 1. White space and
 * marks are left out. However a text is cut, its words are the same. Of a piece of more than 65,536 characters only the end is read.
 */
export function readWords(reading: TextReading, text: string, take: (word: number, length: number) => void): void {
  let { kind: before, word, letters, length } = reading;
  for (let at = text.length > LONGEST_PIECE ? text.length - LONGEST_READ : 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? asciiKinds[code]! : kindOf(code);
    if (kind === before && kind === WORD_LETTER && letters < LONGEST_WORD) {
      word = mix(word, code);
      letters++;
      length++;
    } else if (kind === before && kind >= WORD_DIGIT) {
      if (kind === WORD_DIGIT) word = (word * 10 + code - 48) & 255;
    } else {
      if (before <= WORD_DIGIT) {
        take(endedWord(before, word), length);
        length = 0;
      }
      word = kind === WORD_DIGIT ? code - 48 : mix(0, code);
      letters = 1;
      length++;
      before = kind;
    }
  }
  Object.assign(reading, { kind: before, word, letters, length });
}

/** The word or number that ends here, or 0 if there is none. */
export function endedWord(kind: number, word: number): number {
  if (kind > WORD_DIGIT) return 0;
  return kind === WORD_DIGIT ? -1 - word : Math.imul(word ^ (word >>> 15), 0x85ebca6b) >>> 1;
}

function mix(hash: number, code: number): number {
  return (Math.imul(hash ^ code, 0x01000193) + 1) | 0;
}

function kindOf(code: number): number {
  const lower = code | 32;
  if (lower >= 97 && lower <= 122) return WORD_LETTER;
  if (code >= 48 && code <= 57) return WORD_DIGIT;
  if (code <= 32) return WHITE_SPACE;
  const isMark = code < 0xc0 || (code >= 0x2000 && code < 0x3040) || (code > 0xff00 && code < 0xff10);
  if (isMark) return code;
  return code < FIRST_LONE_LETTER ? WORD_LETTER : LONE_LETTER;
}
