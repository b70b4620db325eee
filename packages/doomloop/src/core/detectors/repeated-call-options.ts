import { DoomloopError, requireInteger } from "../doomloop-error.ts";
import type { OutcomeStrength } from "../finding.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { JudgedStep } from "../step.ts";

/** When a call that is made again and comes to the same is reported. */
export interface RepeatedCallOptions {
  /**
   * How often one call must be made with exactly the same outcome, and without progress in between, to make a finding.
   * @default 3
   */
  readonly threshold?: number;
  /**
   * The threshold if outcomes are equal only in substance, or similar.
   * @default `threshold`
   */
  readonly looseThreshold?: number;
  /**
   * The threshold if outcomes are only similar and the call moves along (scrolls, presses a key): what differs may be what
   * the call was for.
   * @default 4, or `looseThreshold` if that is more
   */
  readonly movingThreshold?: number;
  /**
   * The threshold if calls are equal only in substance. With `false`, only calls that are equal to the letter count.
   * @default 4, or `threshold` if that is more
   */
  readonly fuzzyThreshold?: number | false;
  /**
   * The threshold in a run that shows no outcomes.
   * @default 4, or `threshold` if that is more
   */
  readonly blindThreshold?: number;
  /**
   * Count only calls that follow each other directly.
   * @default false
   */
  readonly consecutive?: boolean;
  /**
   * Count only occurrences among this many latest calls. If undefined, all that the run remembers count.
   * @default undefined
   */
  readonly window?: number;
  /**
   * Another threshold for the later part of a long run, so that the guard is patient early and strict late.
   * @default undefined
   */
  readonly later?: { readonly afterCalls: number; readonly threshold: number };
}

/** Occurrences whose place is remembered: a window cannot count more. */
const MAX_WINDOWED = 8;

/** How many barren occurrences of a step make a finding where its outcomes are as much alike as this. */
export type Needed = (judged: JudgedStep, strength: OutcomeStrength) => number;

/** Checks the options, and says how many of each step are needed; of calls that are equal in substance only, at least `fuzzyThreshold`. */
export function resolveRepeatedCall(options: RepeatedCallOptions): { needed: Needed; fuzzyThreshold: number | false } {
  const { threshold = 3, consecutive = false, window, later } = options;
  const atLeast = Math.max(4, threshold);
  const { looseThreshold = threshold, fuzzyThreshold = atLeast, blindThreshold = atLeast } = options;
  const { movingThreshold = Math.max(4, looseThreshold) } = options;
  const thresholds = {
    threshold,
    looseThreshold,
    movingThreshold,
    fuzzyThreshold: fuzzyThreshold || 2,
    blindThreshold,
  };
  for (const [name, value] of Object.entries(thresholds)) requireInteger(`repeated-call: ${name}`, value, 2);
  if (later !== undefined) {
    requireInteger("repeated-call: later.afterCalls", later.afterCalls, 1);
    requireInteger("repeated-call: later.threshold", later.threshold, 2);
  }
  checkWindow([...Object.values(thresholds), later?.threshold ?? 2], consecutive, window);

  const needed = ({ step, threshold: own }: JudgedStep, strength: OutcomeStrength): number => {
    if (own !== undefined) return own;
    // Nobody sees whether a scroll moved anything: it takes many to be sure.
    if (strength === "blind")
      return factsOf(step).reading.isMoving ? 2 * Math.max(movingThreshold, blindThreshold) : blindThreshold;
    if (strength !== "exact")
      return strength === "similar" && factsOf(step).reading.isMoving ? movingThreshold : looseThreshold;
    return later !== undefined && step.index >= later.afterCalls ? later.threshold : threshold;
  };

  return { needed, fuzzyThreshold };
}

function checkWindow(thresholds: readonly number[], consecutive: boolean, window: number | undefined): void {
  if (window === undefined) return;
  requireInteger("repeated-call: window", window, 2);
  const largest = Math.max(...thresholds);
  if (largest > window) {
    throw new DoomloopError(
      "invalid-option",
      `repeated-call: a window of at least ${largest}, its threshold, is required, got ${window}`,
    );
  }
  if (!consecutive && largest > MAX_WINDOWED) {
    throw new DoomloopError(
      "invalid-option",
      `repeated-call: with a window, a threshold of at most ${MAX_WINDOWED} is required, got ${largest}`,
    );
  }
}
