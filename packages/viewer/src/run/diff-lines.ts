import { diffArrays } from "diff/lib/diff/array.js";

export interface DiffLine {
  readonly type: "same" | "removed" | "added";
  readonly text: string;
}

const MAX_LINES = 2000;
const MAX_EDITS = 300;

/**
 * What became of a text, line by line, in as few changes as possible.
 *
 * Texts that differ in too much are shown as a whole before and a whole after, with what they share at both ends. Lines beyond
 * the first two thousand are left out.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const one = before.split("\n", MAX_LINES);
  const other = after.split("\n", MAX_LINES);
  const changes = diffArrays(one, other, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return replaced(one, other);
  return changes.flatMap(({ value, added, removed }) => lines(added ? "added" : removed ? "removed" : "same", value));
}

function replaced(one: readonly string[], other: readonly string[]): readonly DiffLine[] {
  const shortest = Math.min(one.length, other.length);
  let start = 0;
  while (start < shortest && one[start] === other[start]) start++;
  let end = 0;
  while (end < shortest - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return [
    ...lines("same", one.slice(0, start)),
    ...lines("removed", one.slice(start, one.length - end)),
    ...lines("added", other.slice(start, other.length - end)),
    ...lines("same", one.slice(one.length - end)),
  ];
}

function lines(type: DiffLine["type"], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ type, text }));
}
