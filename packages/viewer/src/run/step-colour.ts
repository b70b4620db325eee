import type { StripCell } from "./layout-strip.ts";
import type { StepGroup } from "./step-groups.ts";

const COLOURS = 7;

/** The class that gives the calls of a loop their colour: seven that colour-blind people tell apart, then the same hatched, then from the start. */
function groupColour({ index }: StepGroup): string {
  return `colour-${index % COLOURS}${Math.floor(index / COLOURS) % 2 === 1 ? " hatched" : ""}`;
}

/** The colour of a group in a list. Colours are for loops: a group that is in none is neutral. */
export function swatchColour(group: StepGroup): string {
  return group.inLoops > 0 ? groupColour(group) : "colour-neutral";
}

/** The colour of a call. One of a loop always has a colour, and no other has. */
export function cellColour(cell: StripCell): string {
  if (cell.type === "gap") return "colour-gap";
  if (cell.brackets.length === 0) return "colour-neutral";
  return cell.group === undefined ? LOOP_COLOUR : groupColour(cell.group);
}

/** For a call of a loop that has no equal, or that the report left out. */
export const LOOP_COLOUR = "colour-loop";
