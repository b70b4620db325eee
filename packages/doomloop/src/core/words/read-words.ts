/** Where the reading of a text stands between two pieces of it: a hash and counts, no characters. */
export type Reading = ReturnType<typeof beginReading>;

const LETTER = 1;
/** A letter of a script that is written without spaces, or half an emoji. */
const LONE_LETTER = 2;
const DIGIT = 3;
/** Kinds from here on are characters that no word is made of: white space, all of it as this one, and marks. */
const SPACE = 32;

/** Of Thai. Most of what follows in Unicode is written without spaces. */
const FIRST_LONE_LETTER = 0xe00;
/** Longer words count as several, so that letters without end repeat themselves too. */
const LONGEST_WORD = 16;
const LONGEST_PIECE = 65_536;
const LONGEST_READ = 16_384;
const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => kindOf(code));

export function beginReading() {
  return {
    /** The kind of the latest character. */
    kind: SPACE,
    /** The hash of the word, or the value of the number, that may go on. */
    word: 0,
    /** How many letters that word has. */
    letters: 0,
    /** Characters since the last word that ended; a run of white space, of digits or of one mark counts as one. */
    length: 0,
  };
}

/**
 * Reads on, and hands over each word and number that has ended, with the characters since the one before.
 *
 * A word is a hash of 31 bits. A number is negative and tells its lowest eight bits: -1 is 0, -2 is 1. White space and
 * marks are none. However a text is cut, its words are the same, but of more than 65,536 characters only the end is read.
 */
export function readWords(reading: Reading, text: string, take: (word: number, length: number) => void): void {
  let { kind: before, word, letters, length } = reading;
  for (let at = text.length > LONGEST_PIECE ? text.length - LONGEST_READ : 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? asciiKinds[code]! : kindOf(code);
    if (kind === before && kind === LETTER && letters < LONGEST_WORD) {
      word = mix(word, code);
      letters++;
      length++;
    } else if (kind === before && kind >= DIGIT) {
      if (kind === DIGIT) word = (word * 10 + code - 48) & 255;
    } else {
      if (before <= DIGIT) {
        take(endedWord(before, word), length);
        length = 0;
      }
      word = kind === DIGIT ? code - 48 : mix(0, code);
      letters = 1;
      length++;
      before = kind;
    }
  }
  reading.kind = before;
  reading.word = word;
  reading.letters = letters;
  reading.length = length;
}

/** The word or number that ends here, or 0. */
export function endedWord(kind: number, word: number): number {
  if (kind > DIGIT) return 0;
  return kind === DIGIT ? -1 - word : Math.imul(word ^ (word >>> 15), 0x85ebca6b) >>> 1;
}

function mix(hash: number, code: number): number {
  return (Math.imul(hash ^ code, 0x01000193) + 1) | 0;
}

function kindOf(code: number): number {
  const lower = code | 32;
  if (lower >= 97 && lower <= 122) return LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code <= 32) return SPACE;
  const isMark = code < 0xc0 || (code >= 0x2000 && code < 0x3040) || (code > 0xff00 && code < 0xff10);
  if (isMark) return code;
  return code < FIRST_LONE_LETTER ? LETTER : LONE_LETTER;
}
