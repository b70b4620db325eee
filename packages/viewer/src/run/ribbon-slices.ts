import type { StripCell } from "./layout-strip.ts";

/** Neighbours of one colour, as one rectangle. */
export interface RibbonSlice {
  readonly start: number;
  readonly length: number;
  /** The group's index; null for a step that is in no loop or has no equal, undefined for calls that the report left out. */
  readonly group: number | null | undefined;
}

/** The whole run at a glance: the calls of loops have colours, and equal neighbours become one slice, so that a long run stays small. */
export function ribbonSlices(cells: readonly StripCell[]): readonly RibbonSlice[] {
  const slices: RibbonSlice[] = [];
  let start = 0;
  for (const cell of cells) {
    const length = cell.type === "gap" ? cell.calls : 1;
    const group = cell.type === "gap" ? undefined : cell.brackets.length > 0 ? (cell.group?.index ?? null) : null;
    const latest = slices.at(-1);
    if (latest !== undefined && latest.group === group)
      slices[slices.length - 1] = { ...latest, length: latest.length + length };
    else slices.push({ start, length, group });
    start += length;
  }
  return slices;
}
