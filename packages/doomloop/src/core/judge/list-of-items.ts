import { resembleEachOther, variationOf } from "../identity/variation.ts";
import type { RunState } from "../memory/run-state.ts";
import type { Step } from "../step.ts";

/**
 * Whether calls work through a list: one place varies, each time something else, and what one came
 * to says nothing of the next. What fails whatever is asked for is no list.
 */
export function isListOfItems(run: RunState, step: Step, indices: readonly number[]): boolean {
  if (step.failure?.isClosedDoor === true) return false;
  // Whatever writes at length is one attempt with other numbers: a patch whose lines have shifted.
  if (step.facts.effect.kind === "change" && step.isWordy) return false;
  const calls = indices.map((index) => run.views.tokensOf(index)).filter((tokens) => tokens !== undefined);
  if (calls.length < indices.length || variationOf(calls) !== "list") return false;
  return step.failure === undefined || !resembleEachOther(calls);
}
