import { DoomloopError, requireInteger } from "../doomloop-error.ts";
import type { FindingFacts, OutcomeStrength } from "../finding.ts";
import type { ArgumentWords } from "../identity/argument-words.ts";
import { coversNewGround, differInNumbers, sharesValue } from "../identity/compare-arguments.ts";
import { failuresInRow, isListOfItems, isListOfNames, streakSinceChange } from "../judge/streak.ts";
import { type RunState, recentSteps, sinceChange } from "../memory/run-state.ts";
import { areSimilar, compareSteps, wordsIn } from "../memory/views.ts";
import { isOfLength } from "../outcome/compare-outcomes.ts";
import type { JudgedStep, Step } from "../step.ts";
import { type Detector, isTooEarlyToCallBlind, loopIdentity } from "./detector.ts";
import { FAILING_SIMILARITY } from "./limits.ts";

/** Nearly the same call again, with the same result. */
export interface SimilarCallFinding extends FindingFacts {
  readonly kind: "similar-call";
  readonly evidence: { readonly outcome: OutcomeStrength; readonly isFailing: boolean };
}

/** When calls that differ a little and have the same outcome are reported. */
export interface SimilarCallOptions {
  /**
   * Similar calls with the same or a similar result that make a finding.
   * @default 4
   */
  readonly threshold?: number;
  /**
   * Similar calls of one tool in a row that make a finding if all of them fail, however they fail.
   * @default 5
   */
  readonly failingThreshold?: number;
  /**
   * Similar calls in a row that make a finding in a run that shows no results.
   * @default 5
   */
  readonly blindThreshold?: number;
  /**
   * How similar two calls must be, field by field, to count as similar: above 0, at most 1.
   * @default 0.7
   */
  readonly similarity?: number;
}

/**
 * Reports calls that differ a little and have the same outcome.
 *
 * Similar arguments alone mean nothing: sibling files and next pages are similar too. The outcome must be the same, and
 * another page or range is new ground.
 */
export function similarCall(options: SimilarCallOptions = {}): Detector<SimilarCallFinding, "step"> {
  const { threshold = 4, failingThreshold = 5, blindThreshold = 5, similarity = 0.7 } = options;
  requireInteger("similar-call: threshold", threshold, 2, 12);
  requireInteger("similar-call: failingThreshold", failingThreshold, 2, 24);
  requireInteger("similar-call: blindThreshold", blindThreshold, 2, 12);
  if (!(similarity > 0 && similarity <= 1)) {
    throw new DoomloopError(
      "invalid-option",
      `similar-call: a similarity above 0 and at most 1 is required, got ${similarity}`,
    );
  }

  const inspectOutcomes = (run: RunState, step: Step): SimilarCallFinding | undefined => {
    if (step.isEmpty || !step.isTelling) return;
    const candidates = recentSteps(run).filter((earlier) => mayBeAlike(step, earlier));
    if (candidates.length < threshold) return;
    const alike = sinceChange(
      run,
      candidates.filter((earlier) => isAlike(step, earlier, similarity)),
    );
    const rounds = new Set(alike.map((earlier) => earlier.round)).size;
    const needed = step.failure?.strength === "read" ? threshold + 1 : threshold;
    if (rounds < needed || !areDifferent(alike)) return;
    const isList = step.failure === undefined ? isListOfNames(alike) : isListOfItems(alike);
    return isList ? undefined : found(alike, rounds, "similar");
  };

  const inspectFailures = (run: RunState, step: Step): SimilarCallFinding | undefined => {
    if (step.failure === undefined) return;
    const streak = streakSinceChange(run, failuresInRow(run, step.tool), failingThreshold, (failed) =>
      areSimilar(step, failed, FAILING_SIMILARITY),
    );
    if (streak === undefined || isListOfItems(streak.steps)) return;
    return found(streak.steps, Math.floor(streak.weight), "similar");
  };

  const inspectBlindly = (run: RunState, judged: JudgedStep): SimilarCallFinding | undefined => {
    const { step, blindness } = judged;
    const { act, isPage, isMoving } = step.facts.reading;
    if (act === "looks" || act === "watches" || isMoving) return;
    // Calls without results so far may be a batch. Only actions on a page surely come one after the other.
    if ((blindness === "inferred" && !isPage) || isTooEarlyToCallBlind(judged)) return;
    const steps = recentSteps(run);
    const alike = steps.slice(steps.findLastIndex((earlier) => !isAttempt(step, earlier, similarity)) + 1);
    return alike.length >= blindThreshold && areDifferent(alike) ? found(alike, alike.length, "blind") : undefined;
  };

  return {
    kind: "similar-call",
    on: "step",
    inspect(judged, run) {
      const { step, blindness, isExcused } = judged;
      if (isExcused) return;
      if (blindness !== "none") return inspectBlindly(run, judged);
      return inspectOutcomes(run, step) ?? inspectFailures(run, step);
    },
  };
}

/** Whether not all of the calls are equal: equal calls belong to another detector. */
function areDifferent(steps: readonly Step[]): boolean {
  return steps.some(({ call }) => call !== steps[0]!.call);
}

/** Whether something is true of two steps' arguments. False if one of them is too long ago. */
function holds(one: Step, other: Step, ask: (one: ArgumentWords, other: ArgumentWords) => boolean): boolean {
  const first = wordsIn(one);
  const second = wordsIn(other);
  return first !== undefined && second !== undefined && ask(first, second);
}

/** Whether an earlier call is an attempt at what the latest tries, by the calls alone. */
function isAttempt(step: Step, earlier: Step, similarity: number): boolean {
  if (earlier.tool !== step.tool || holds(step, earlier, coversNewGround)) return false;
  return areSimilar(step, earlier, similarity) || isOverwrite(step, earlier);
}

/** Whether the agent fills the same field of a page again with another number, and never used the one before. */
function isOverwrite(step: Step, earlier: Step): boolean {
  const { reading, like } = step.facts;
  if (!reading.isPage || like === undefined || earlier.facts.like !== like) return false;
  return holds(step, earlier, sharesValue);
}

/** A cheap check that rules most steps out. */
function mayBeAlike(step: Step, earlier: Step): boolean {
  if (
    earlier.tool !== step.tool ||
    earlier.isExcused ||
    (earlier.failure === undefined) !== (step.failure === undefined)
  )
    return false;
  return earlier.outcome === step.outcome || isOfLength(step.length, earlier.length);
}

function isAlike(step: Step, earlier: Step, similarity: number): boolean {
  if (earlier.call !== step.call) {
    // Files that each have a name of their own are not attempts at one thing.
    if (step.facts.reading.isFileRead && earlier.facts.like !== step.facts.like) return false;
    if (!areSimilar(step, earlier, similarity) || holds(step, earlier, coversNewGround)) return false;
  }
  if (earlier.outcome === step.outcome) return true;
  const alike = compareSteps(step, earlier);
  // A sweep asks for another number each time, and gets other numbers.
  return alike === "same" || (alike === "similar" && !holds(step, earlier, differInNumbers));
}

function found(steps: readonly Step[], count: number, outcome: OutcomeStrength): SimilarCallFinding {
  const { tool, failure } = steps.at(-1)!;
  return {
    kind: "similar-call",
    loop: loopIdentity("similar-call", tool),
    steps: steps.map(({ index }) => index).sort((one, other) => one - other),
    count,
    isCertain: false,
    confidence: outcome === "blind" || failure !== undefined ? 0.85 : 0.95,
    tools: [tool],
    evidence: { outcome, isFailing: failure !== undefined },
  };
}
