import { digestOfAll, digestToHex } from "../identity/digest.ts";

/** The identity of a loop from what makes it this loop and no other. */
export function loopIdentity(...parts: readonly string[]): string {
  return digestToHex(digestOfAll(...parts));
}

/** The rotation of a list that comes first in order: the same for every rotation of the same list. */
export function leastRotation(parts: readonly string[]): readonly string[] {
  let best = parts;
  for (let shift = 1; shift < parts.length; shift++) {
    const rotated = [...parts.slice(shift), ...parts.slice(0, shift)];
    if (isBefore(rotated, best)) best = rotated;
  }
  return best;
}

function isBefore(one: readonly string[], other: readonly string[]): boolean {
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return one[at]! < other[at]!;
  return false;
}
