import type { LoopSummary } from "../../../doomloop/src/scan/report/report.ts";
import { joined, shared } from "../../../doomloop/src/scan/report/spans.ts";
import { callsOf } from "./calls-in-loops.ts";
import type { StripCell } from "./layout-strip.ts";
import { cellColour, LOOP_COLOUR } from "./step-colour.ts";

/** More are narrower than a point of any screen. */
export const MAX_SLICES = 4000;

/** Neighbours of one colour, as one rectangle. */
export interface RibbonSlice {
  /** Calls before it. */
  readonly start: number;
  readonly length: number;
  /** The class that gives it its colour. */
  readonly colour: string;
  /** It belongs to loops, but not to the one that is spoken of. */
  readonly isQuiet: boolean;
}

/**
 * The whole run at a glance: the calls of loops have colours, and equal neighbours become one slice, so that a long run stays small.
 *
 * `named` is the loop that is spoken of, from 0: the others step back. Without it, all are equally bright.
 */
export function ribbonSlices(
  cells: readonly StripCell[],
  loops: readonly LoopSummary[],
  named?: number,
): readonly RibbonSlice[] {
  const slices: RibbonSlice[] = [];
  const add = (slice: RibbonSlice) => {
    const latest = slices.at(-1);
    if (slice.length <= 0) return;
    if (latest !== undefined && latest.colour === slice.colour && latest.isQuiet === slice.isQuiet)
      slices[slices.length - 1] = { ...latest, length: latest.length + slice.length };
    else slices.push(slice);
  };
  let start = 0;
  for (const cell of cells) {
    const isQuiet =
      named !== undefined && cell.brackets.length > 0 && cell.brackets.every(({ loop }) => loop !== named);
    const colour = cellColour(cell);
    if (cell.type === "step") {
      add({ start, length: 1, colour, isQuiet });
      start += 1;
      continue;
    }
    const end = start + cell.calls;
    const inLoops = joined(cell.brackets.flatMap(({ loop }) => callsOf(loops[loop]!)));
    for (const [first, last] of shared([[start + 1, end]], inLoops)) {
      add({ start, length: first - 1 - start, colour, isQuiet: false });
      add({ start: first - 1, length: last - first + 1, colour: LOOP_COLOUR, isQuiet });
      start = last;
    }
    add({ start, length: end - start, colour, isQuiet: false });
    start = end;
  }
  return slices;
}
