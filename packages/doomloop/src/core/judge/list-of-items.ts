import { fieldsIn } from "../identity/argument-words.ts";
import { resembleEachOther, variationOf } from "../identity/compare-arguments.ts";
import { wordsIn } from "../memory/views.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Step } from "../step.ts";

/** A call of more words asks a question; a word of it that varies names nothing. */
const FEW_WORDS = 6;
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
  if (latest.isWordy && factsOf(latest).reading.act === "writes") return false;
  const looked = steps.slice(-LOOKED_AT);
  const calls = looked.map(wordsIn).filter((words) => words !== undefined);
  if (calls.length < looked.length || variationOf(calls) !== "list") return false;
  return latest.failure === undefined || !resembleEachOther(calls);
}

/** Whether steps that all came to one answer work through a list of names: twenty hosts that are all well. A question with another word in it is no name. */
export function isListOfNames(steps: readonly Step[]): boolean {
  const words = wordsIn(steps.at(-1)!);
  if (words === undefined || !isListOfItems(steps)) return false;
  return fieldsIn(words).reduce((sum, field) => sum + field.words.length, 0) <= FEW_WORDS;
}
