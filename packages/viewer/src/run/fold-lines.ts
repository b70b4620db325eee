import type { DiffLine } from "./diff-lines.ts";

/** A line of a difference, or a number of equal lines that are left out. */
export type FoldedLine = DiffLine | { readonly type: "fold"; readonly lines: number };

const MIN_FOLD = 3;

/** Leaves out equal lines that are far from a change. */
export function foldLines(lines: readonly DiffLine[], context = 2): readonly FoldedLine[] {
  const isNear = new Uint8Array(lines.length);
  for (const [index, { type }] of lines.entries()) {
    if (type !== "same") isNear.fill(1, Math.max(0, index - context), index + context + 1);
  }
  const folded: FoldedLine[] = [];
  let far: DiffLine[] = [];
  const flush = () => {
    if (far.length >= MIN_FOLD) folded.push({ type: "fold", lines: far.length });
    else folded.push(...far);
    far = [];
  };
  for (const [index, line] of lines.entries()) {
    if (isNear[index] === 0) far.push(line);
    else {
      flush();
      folded.push(line);
    }
  }
  flush();
  return folded;
}
