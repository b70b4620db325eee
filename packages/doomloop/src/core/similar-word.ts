/**
 * The word that was probably meant: with one letter more, fewer or different, or two letters swapped; for long words, up to two such
 * differences. Undefined if no word is close.
 */
export function similarWord(word: string, words: readonly string[]): string | undefined {
  return (
    words.find((other) => isNear(word, other)) ??
    words.find((other) => sorted(word) === sorted(other)) ??
    words.find((other) => word.length >= LONG_WORD && isNearTwice(word, other))
  );
}

const LONG_WORD = 8;

/** Whether two words are near each other once one letter of the longer one is left out. */
function isNearTwice(one: string, other: string): boolean {
  if (one.length > other.length) return isNearTwice(other, one);
  return [...other].some((_, at) => isNear(one, other.slice(0, at) + other.slice(at + 1)));
}

function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const rest = (text: string, skipped: number): string => text.slice(start + skipped);
  return (
    rest(one, 1) === rest(other, 1) ||
    rest(one, 1) === rest(other, 0) ||
    rest(one, 0) === rest(other, 1) ||
    (rest(one, 2) === rest(other, 2) && one[start] === other[start + 1] && one[start + 1] === other[start])
  );
}

function sorted(word: string): string {
  return [...word].sort().join("");
}
