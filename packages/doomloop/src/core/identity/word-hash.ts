/** The hash of a word so far (FNV-1a, 32 bits): {@link NO_LETTERS} to begin with, {@link foldWord} at its end. */
export const NO_LETTERS = 0x811c9dc5;
const PRIME = 0x01000193;

/** The hash with one letter more, whatever its case. */
export function hashLetters(hash: number, unit: number): number {
  return Math.imul(hash ^ (unit >= 65 && unit <= 90 ? unit | 32 : unit), PRIME);
}

/** The 16 bits by which a word is known. */
export function foldWord(hash: number): number {
  return (hash ^ (hash >>> 16)) & 0xffff;
}

/** Letters, digits and what joins them inside one name. */
export function isWordUnit(unit: number): boolean {
  return isDigit(unit) || isLetter(unit) || unit === 45 || unit === 95;
}

export function isLetter(unit: number): boolean {
  return ((unit | 32) >= 97 && (unit | 32) <= 122) || unit > 127;
}

export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

/**
 * A hash of 32 bits of the words in a text, leaving out those of the call: what an answer repeats of the question is not news.
 * `units` are UTF-16 units from `start` to `end`.
 */
export function hashWithout(own: ReadonlySet<number>, units: Uint16Array, start: number, end: number): number {
  let hash = NO_LETTERS;
  let word = NO_LETTERS;
  let length = 0;
  for (let at = start; at <= end; at++) {
    const unit = at < end ? units[at]! : 32;
    if (isWordUnit(unit)) {
      word = hashLetters(word, unit);
      length++;
      continue;
    }
    if (length > 0) hash = Math.imul(hash ^ (own.has(foldWord(word)) ? 64 : word), PRIME);
    word = NO_LETTERS;
    length = 0;
  }
  return hash >>> 0;
}
