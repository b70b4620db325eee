import type { LoopSummary, ReportStep } from "../../../doomloop/src/scan/report/report.ts";

import { isInLoop } from "./calls-in-loops.ts";

/** The step that another one repeats. */
export interface PreviousStep {
  readonly step: ReportStep;
  /** `call`: the very same call · `tool`: the tool's call before it in the same loop, where no call is the very same. */
  readonly basis: "call" | "tool";
  /** Null where one of the two has no outcome. */
  readonly hasSameOutcome: boolean | null;
}

/** The latest occurrence of a step before it; undefined for a first time. */
export function findPrevious(
  steps: readonly ReportStep[],
  position: number,
  loops: readonly LoopSummary[],
): PreviousStep | undefined {
  const step = steps[position];
  if (step === undefined) return undefined;
  const earlier = steps.slice(0, position);
  const equal = earlier.findLast(({ same }) => same === step.same);
  if (equal !== undefined) return { step: equal, basis: "call", hasSameOutcome: compare(step, equal) };
  const around = loops.filter((loop) => isInLoop(step.call, loop));
  const alike = earlier.findLast(({ tool, call }) => tool === step.tool && around.some((loop) => isInLoop(call, loop)));
  return alike && { step: alike, basis: "tool", hasSameOutcome: compare(step, alike) };
}

function compare(one: ReportStep, other: ReportStep): boolean | null {
  return one.outcome === null || other.outcome === null ? null : one.outcome === other.outcome;
}
