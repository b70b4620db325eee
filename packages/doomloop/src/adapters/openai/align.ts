/** Where a list goes on from another: so many of its first elements are the other's, from this place on. */
export interface Alignment {
  readonly from: number;
  readonly length: number;
}

/**
 * Finds what a list has of the list before it: all of that, its beginning where something was taken back, or its end where
 * something was cut off. Elements may be equal, so the longest run is taken.
 */
export function align(before: readonly string[], after: readonly string[]): Alignment {
  const end = before.findIndex((element, at) => element !== after[at]);
  const common = end < 0 ? before.length : end;
  if (common === before.length || common === after.length) return { from: 0, length: common };
  const length = overlapOf(before, after);
  return length > common ? { from: before.length - length, length } : { from: 0, length: common };
}

/** How long the end of one list is that is the beginning of another, in as many steps as there are elements. */
function overlapOf(before: readonly string[], after: readonly string[]): number {
  const shorter = [0];
  let length = 0;
  const step = (element: string | undefined): void => {
    while (length > 0 && after[length] !== element) length = shorter[length - 1]!;
    if (after[length] === element) length++;
  };
  for (let at = 1; at < after.length; at++) {
    step(after[at]);
    shorter[at] = length;
  }
  length = 0;
  for (const element of before) {
    if (length === after.length) length = shorter[length - 1]!;
    step(element);
  }
  return length;
}
