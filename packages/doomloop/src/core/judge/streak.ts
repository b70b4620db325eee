import { type RunState, recentSteps, sinceChange } from "../memory/run-state.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Step } from "../step.ts";

/** Failures in a row, and how much they weigh. */
export interface Streak {
  readonly weight: number;
  /** Oldest first. */
  readonly steps: readonly Step[];
}

/** Failures with no success in between: of any tool, or of one tool with none of that tool. Oldest first. */
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

/** Further failures of one round weigh a third each: a batch is one attempt. Failures known by their words only weigh one less. */
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
  return step.isEmpty && ["waits", "looks", "watches"].includes(factsOf(step).reading.act);
}
