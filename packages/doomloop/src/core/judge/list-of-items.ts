import { resembleEachOther, variationOf } from "../identity/variation.ts";
import { wordsIn } from "../memory/views.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Step } from "../step.ts";

/** As many of the latest tell. */
const LOOKED_AT = 8;

/**
 * Whether steps, the latest of them last, work through a list: one place varies, each time something else, and what one came
 * to says nothing of the next. What fails whatever is asked for is no list.
 */
export function isListOfItems(steps: readonly Step[]): boolean {
  const latest = steps.at(-1)!;
  if (latest.failure?.isClosedDoor === true) return false;
  // Whatever writes at length is one attempt with other numbers: a patch whose lines have shifted.
  if (latest.isWordy && factsOf(latest).effect.kind === "change") return false;
  const looked = steps.slice(-LOOKED_AT);
  const calls = looked.map(wordsIn).filter((words) => words !== undefined);
  if (calls.length < looked.length || variationOf(calls) !== "list") return false;
  return latest.failure === undefined || !resembleEachOther(calls);
}
