import type { HeldGoal } from "../hold-goals.ts";
import { OURS } from "../judged-run.ts";
import { toTable } from "./table.ts";
import { exactly } from "./units.ts";

/** Goals, what was measured, and whether that is enough. */
export function goalsToMarkdown(goals: readonly HeldGoal[]): string {
  const rows = goals.map(({ instrument, figure, bound, measured, isReached }) => {
    if (measured === undefined) return [instrument, figure, "", "", "not measured here"];
    const { unit, better, values } = measured;
    const goal = `${better === "more" ? ">=" : "<="} ${exactly(bound, unit)}`;
    return [instrument, figure, goal, exactly(values[OURS], unit), isReached ? "reached" : "not reached"];
  });
  return toTable(["instrument", "figure", "goal", "measured", "verdict"], rows, 2).join("\n");
}
