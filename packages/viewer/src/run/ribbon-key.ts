import type { LoopSummary } from "../../../doomloop/src/scan/report/report.ts";
import { count } from "../../../doomloop/src/scan/report/words.ts";
import { ribbonSlices } from "./ribbon-slices.ts";
import type { RunPicture } from "./run-picture.ts";
import { LOOP_COLOUR, swatchColour } from "./step-colour.ts";
import type { StepGroup } from "./step-groups.ts";

/** A colour of a ribbon, and what has it: a group of steps, or in words the rest. */
export interface KeyEntry {
  /** The class that gives it its colour. */
  readonly colour: string;
  readonly group?: StepGroup;
  readonly words?: string;
}

const MAX_GROUPS = 6;
const NEUTRAL = "colour-neutral";

/** What the colours of a ribbon mean: each colour that it shows is named, or counted among the others. */
export function ribbonKey({ groups, strip }: RunPicture, loops: readonly LoopSummary[]): readonly KeyEntry[] {
  const shown = new Set(ribbonSlices(strip.cells, loops).map(({ colour }) => colour));
  const inLoops = [...groups.values()].filter((group) => group.inLoops > 0 && shown.has(swatchColour(group)));
  const named = inLoops.slice(0, MAX_GROUPS);
  const more = inLoops.length - named.length;
  return [
    ...named.map((group) => ({ colour: swatchColour(group), group })),
    ...(more > 0 ? [{ colour: swatchColour(inLoops[MAX_GROUPS]!), words: `and ${count(more)} more` }] : []),
    ...(shown.has(LOOP_COLOUR) ? [{ colour: LOOP_COLOUR, words: "in a loop, equal to no other" }] : []),
    ...(shown.has(NEUTRAL) ? [{ colour: NEUTRAL, words: "not in a loop" }] : []),
  ];
}
