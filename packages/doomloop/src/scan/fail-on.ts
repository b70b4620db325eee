import { detectors } from "../core/detectors/index.ts";
import { UsageError } from "../system/usage-error.ts";
import type { LoopSummary } from "./report/report.ts";

const ACTIONS = ["nudge", "block", "restart", "stop"];

/** Which loops fail a build: those of a kind, or those for which the guard would have gone as far as an action. */
export function readFailOn(values: readonly string[]): (loop: LoopSummary) => boolean {
  const wanted = values.flatMap((value) => value.split(","));
  const known = [...Object.keys(detectors), ...ACTIONS];
  for (const value of wanted) {
    if (!known.includes(value)) throw new UsageError(`--fail-on: one of ${known.join(", ")} is required, got ${value}`);
  }
  const actions = wanted.filter((value) => ACTIONS.includes(value)).map((value) => ACTIONS.indexOf(value));
  const lowest = Math.min(...actions);
  return ({ kind, decisions }) =>
    wanted.includes(kind) || decisions.some(({ action }) => ACTIONS.indexOf(action) >= lowest);
}
