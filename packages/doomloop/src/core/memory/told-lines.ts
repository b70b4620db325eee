import { FEW_LETTERS, SLOTS, WORDS_OF_A_SCORE } from "./limits.ts";

/**
 * The lines that the run was told, as far as it remembers: a table of 16-bit marks, in which a newer line takes the place of an older one.
 * Plain data; empty until something was told.
 */
export interface ToldLines {
  /** A plain list after a snapshot was read. */
  marks: Uint16Array | readonly number[];
}

/** How much of an outcome was new to the run. */
export interface Freshness {
  /** Pieces that say something. */
  readonly pieces: number;
  /** Those that no outcome before had told. */
  readonly fresh: number;
}

const OFFSET = 0x811c9dc5;
const BACKSLASH = 92;

/** What a character does in a piece: it ends the piece, is skipped, or belongs to it. */
const END = 0;
const BLANK = 1;
const OTHER = 2;
const DIGIT = 3;
const LETTER = 4;
const kinds = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if ("\n,;{}".includes(character)) return END;
  if (unit <= 32) return BLANK;
  return /[a-z]/i.test(character) ? LETTER : /\d/.test(character) ? DIGIT : OTHER;
});

/** Reads an outcome, remembers its lines, and says how many of them were new. A piece ends at the end of a line or of a list item. */
export function noteLines(told: ToldLines, text: string): Freshness {
  const marks = marksOf(told);
  const end = text.length;
  let pieces = 0;
  let fresh = 0;
  for (let at = 0; at < end; at++) {
    let hash = OFFSET;
    let letters = 0;
    let words = 0;
    let hasDigit = false;
    let before = END;
    for (; at < end; at++) {
      const unit = text.charCodeAt(at);
      const kind = unit < 128 ? kinds[unit]! : LETTER;
      // An escaped line break inside a JSON text ends a piece, too.
      if (kind === END || (unit === BACKSLASH && text.charCodeAt(at + 1) === 110 && ++at > 0)) break;
      if (kind === LETTER) {
        letters++;
        if (before !== LETTER) words++;
      }
      before = kind;
      // Characters before the first letter only number the piece.
      if (kind === BLANK || letters === 0) continue;
      if (kind === DIGIT) hasDigit = true;
      hash = Math.imul(hash ^ unit, 0x01000193);
    }
    if (letters < FEW_LETTERS || (hasDigit && words <= WORDS_OF_A_SCORE)) continue;
    pieces++;
    if (isFresh(marks, hash)) fresh++;
  }
  return { pieces, fresh };
}

/** The table as numbers of two bytes each: a list of them takes four times the space. */
function marksOf(told: ToldLines): Uint16Array {
  if (told.marks instanceof Uint16Array && told.marks.length === SLOTS) return told.marks;
  const marks = new Uint16Array(SLOTS);
  if (Array.isArray(told.marks)) marks.set(told.marks.slice(0, SLOTS));
  told.marks = marks;
  return marks;
}

function isFresh(told: Uint16Array, hash: number): boolean {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0;
  const slot = mixed % SLOTS;
  const mark = (mixed >>> 16) | 1;
  if (told[slot] === mark) return false;
  told[slot] = mark;
  return true;
}
