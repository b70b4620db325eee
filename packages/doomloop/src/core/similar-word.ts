/**
 * The word that somebody most likely meant: one letter too many, too few, another, or two that changed places; of long words also two
 * letters. Undefined if there is none.
 */
export function similarWord(word: string, words: readonly string[]): string | undefined {
  return (
    words.find((other) => isNear(word, other)) ??
    words.find((other) => sorted(word) === sorted(other)) ??
    words.find((other) => word.length >= LONG && isNearTwice(word, other))
  );
}

const LONG = 8;

/** Whether a word is near another once one of its letters is left out, or one of the other's. */
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
