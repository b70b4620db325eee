import { fieldsIn } from "../identity/argument-words.ts";
import { resembleEachOther, variationOf } from "../identity/compare-arguments.ts";
import { type RunState, recentSteps, sinceChange } from "../memory/run-state.ts";
import { wordsIn } from "../memory/views.ts";
import type { Step } from "../step.ts";
import { LISTED_STEPS, NAMING_WORDS } from "./limits.ts";

/** Failures in a row, and how much they weigh. */
interface Streak {
  readonly weight: number;
  /** Oldest first. */
  readonly steps: readonly Step[];
}

/** The latest failures with no success in between: of any tool, or of one tool. Oldest first. */
export function failuresInRow(run: RunState, tool?: string): readonly Step[] {
  const failures: Step[] = [];
  const steps = recentSteps(run);
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at]!;
    if (tool !== undefined && step.tool !== tool) continue;
    if (step.isExcused) continue;
    if (isSuccess(step)) break;
    // A failure that says nothing shares nothing with another: many programs end with 1 to say no.
    if (step.failure !== undefined && !step.isEmpty) failures.unshift(step);
  }
  return failures;
}

/**
 * The failures from the latest back to the first that does not fit or that came before a change of the world; undefined
 * if they weigh less than `threshold`.
 */
export function streakSinceChange(
  run: RunState,
  failures: readonly Step[],
  threshold: number,
  fits: (step: Step) => boolean,
): Streak | undefined {
  if (failures.length < threshold) return undefined;
  const from = failures.findLastIndex((step) => !fits(step)) + 1;
  const steps = failures.slice(from).sort((one, other) => one.index - other.index);
  if (weightOf(steps) < threshold) return undefined;
  const streak = sinceChange(run, steps);
  const weight = weightOf(streak);
  return weight < threshold ? undefined : { weight, steps: streak };
}

/** Further failures of one round weigh a third each, because a batch is one attempt. A streak in which only words show the failures weighs one less. */
function weightOf(steps: readonly Step[]): number {
  const rounds = new Set(steps.map(({ round }) => round)).size;
  if (rounds < 2) return 0;
  const isTold = steps.every(({ failure }) => failure?.strength === "told");
  return rounds + (steps.length - rounds) / 3 - (isTold ? 0 : 1);
}

function isSuccess(step: Step): boolean {
  return step.isSeen && !step.isSynthetic && step.failure === undefined && !isIdle(step);
}

/** A look or a wait that brings nothing is neither success nor failure. */
export function isIdle(step: Step): boolean {
  return step.isEmpty && ["waits", "looks", "watches"].includes(step.facts.reading.act);
}

/**
 * Whether steps, the latest of them last, work through a list: one place varies, each time by something else, and the outcome of one says
 * nothing about the next. Calls that fail whatever they ask for are no list.
 */
export function isListOfItems(steps: readonly Step[]): boolean {
  const latest = steps.at(-1)!;
  if (latest.failure?.isClosedDoor === true) return false;
  // A call that writes at length is one attempt with other numbers: a patch whose lines have shifted.
  if (latest.isWordy && latest.facts.reading.act === "writes") return false;
  const looked = steps.slice(-LISTED_STEPS);
  const calls = looked.map(wordsIn).filter((words) => words !== undefined);
  if (calls.length < looked.length || variationOf(calls) !== "list") return false;
  return latest.failure === undefined || !resembleEachOther(calls);
}

/** Whether steps that all got one answer work through a list of names: twenty hosts that are all well. A question with another word in it is no name. */
export function isListOfNames(steps: readonly Step[]): boolean {
  const words = wordsIn(steps.at(-1)!);
  if (words === undefined || !isListOfItems(steps)) return false;
  return fieldsIn(words).reduce((sum, field) => sum + field.words.length, 0) <= NAMING_WORDS;
}
