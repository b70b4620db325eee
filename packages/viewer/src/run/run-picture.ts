import type { LoopSummary, RunSteps } from "../../../doomloop/src/scan/report/report.ts";
import { layoutStrip, type Strip } from "./layout-strip.ts";
import { chooseGrouping, type Grouping, type StepGroup, stepGroups } from "./step-groups.ts";

export interface RunPicture {
  readonly grouping: Grouping;
  readonly groups: ReadonlyMap<string, StepGroup>;
  readonly strip: Strip;
}

/** Groups the steps of a run and lays them out. Without a grouping, by that which shows its loops best. */
export function runPicture(
  run: RunSteps,
  loops: readonly LoopSummary[],
  grouping: Grouping = chooseGrouping(run.steps, loops),
): RunPicture {
  const groups = stepGroups(run.steps, loops, grouping);
  return { grouping, groups, strip: layoutStrip(run, loops, groups, grouping) };
}
