import { DoomloopError, requireInteger } from "../doomloop-error.ts";
import type { FindingFacts, OutcomeStrength } from "../finding.ts";
import { type ArgumentSketch, argumentSimilarity, coversNewGround, sharesValue } from "../identity/argument-sketch.ts";
import { isOfLength, isSimilar } from "../identity/outcome-profile.ts";
import { isListOfItems } from "../judge/list-of-items.ts";
import { compareSteps } from "../memory/compare-steps.ts";
import { streakSinceChange } from "../memory/failures.ts";
import { mayYetSee } from "../memory/may-yet-see.ts";
import { type RecentStep, type RunState, sinceChange } from "../memory/run-state.ts";
import type { Step } from "../step.ts";
import type { Detector } from "./detector.ts";
import { loopIdentity } from "./loop-identity.ts";

/** Nearly the same call again, with the same to show for it. */
export interface SimilarCallFinding extends FindingFacts {
  readonly kind: "similar-call";
  readonly evidence: { readonly outcome: OutcomeStrength; readonly isFailing: boolean };
}

export interface SimilarCallOptions {
  /**
   * Similar calls with the same or a similar outcome that make a finding.
   * @default 4
   */
  readonly threshold?: number;
  /**
   * Similar calls of one tool in a row, all failing in whatever way, that make a finding.
   * @default 5
   */
  readonly failingThreshold?: number;
  /**
   * Similar calls in a row that make a finding in a run that shows no outcomes.
   * @default 5
   */
  readonly blindThreshold?: number;
  /**
   * How similar two calls are, field by field, to count as such: above 0, at most 1.
   * @default 0.7
   */
  readonly similarity?: number;
}

/** Failing calls are compared less strictly: what they share besides is that they fail. */
const FAILING_SIMILARITY = 0.5;

/**
 * Reports calls that differ a little and come to the same.
 *
 * Similar arguments alone mean nothing: sibling files and next pages are similar too. The outcome must be the same, and
 * another page or range is new ground.
 */
export function similarCall(options: SimilarCallOptions = {}): Detector<SimilarCallFinding> {
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
    if (step.isBlind || step.isEmpty || !step.isTelling) return;
    const candidates = run.recent.filter((earlier) => mayBeAlike(run, step, earlier));
    if (candidates.length < threshold) return;
    const alike = sinceChange(
      run,
      candidates.filter((earlier) => isAlike(run, step, earlier, similarity)),
    );
    const rounds = new Set(alike.map((earlier) => earlier.round));
    const needed = step.failure?.strength === "read" ? threshold + 1 : threshold;
    if (rounds.size < needed || new Set(alike.map((earlier) => earlier.call)).size < 2) return;
    const indices = alike.map((earlier) => earlier.index);
    if (step.failure !== undefined && isListOfItems(run, step, indices)) return;
    return found(step, alike, rounds.size, "similar");
  };

  const inspectFailures = (run: RunState, step: Step): SimilarCallFinding | undefined => {
    const failures = step.failure === undefined ? [] : run.failures.of(step.tool);
    if (failures.length < failingThreshold) return;
    const sketch = run.views.argumentsOf(step.index);
    if (sketch === undefined) return;
    const streak = streakSinceChange(run.world, failures, failingThreshold, (failed) => {
      const other = run.views.argumentsOf(failed.index);
      return other !== undefined && argumentSimilarity(sketch, other) >= FAILING_SIMILARITY;
    });
    if (streak === undefined || isListOfItems(run, step, streak.indices)) return;
    const steps = streak.indices.map((index) => ({ index }));
    return found(step, steps, Math.floor(streak.weight), "similar");
  };

  const inspectBlindly = (run: RunState, step: Step): SimilarCallFinding | undefined => {
    // Asked first: what a command does is read only where somebody needs to know.
    if (!step.isBlind) return;
    const { kind, isMoving } = step.facts.effect;
    if (kind === "look" || isMoving) return;
    // Results that were not seen yet may be those of a batch; only actions on a page surely come one after the other.
    if ((step.isBlindByInference && kind !== "page") || mayYetSee(step)) return;
    const sketch = run.views.argumentsOf(step.index);
    if (sketch === undefined) return;
    const alike: RecentStep[] = [];
    for (let at = run.recent.length - 1; at >= 0; at--) {
      const earlier = run.recent[at]!;
      const other = run.views.argumentsOf(earlier.index);
      if (earlier.tool !== step.tool || other === undefined || coversNewGround(sketch, other)) break;
      if (argumentSimilarity(sketch, other) < similarity && !isOverwrite(step, earlier, sketch, other)) break;
      alike.unshift(earlier);
    }
    const isVaried = new Set(alike.map((earlier) => earlier.call)).size > 1;
    return alike.length >= blindThreshold && isVaried ? found(step, alike, alike.length, "blind") : undefined;
  };

  return {
    kind: "similar-call",
    on: "step",
    inspect(run) {
      const step = run.latest;
      if (step === undefined || step.isExcused) return;
      return inspectOutcomes(run, step) ?? inspectFailures(run, step) ?? inspectBlindly(run, step);
    },
  };
}

/** The same field of a page filled again with another number: what was written before is gone unused. */
function isOverwrite(step: Step, earlier: RecentStep, sketch: ArgumentSketch, other: ArgumentSketch): boolean {
  const { effect, like } = step.facts;
  return effect.kind === "page" && like !== undefined && earlier.facts.like === like && sharesValue(sketch, other);
}

/** A look that costs nothing and rules most steps out. */
function mayBeAlike(run: RunState, step: Step, earlier: RecentStep): boolean {
  if (earlier.tool !== step.tool || earlier.isFailing !== (step.failure !== undefined)) return false;
  return earlier.outcome === step.outcome || isOfLength(run.recent.at(-1)!.length, earlier.length);
}

function isAlike(run: RunState, step: Step, earlier: RecentStep, similarity: number): boolean {
  if (earlier.call !== step.call) {
    // Files that each have a name of their own are not attempts at one thing.
    if (step.facts.effect.isFileRead && earlier.facts.like !== step.facts.like) return false;
    const sketch = run.views.argumentsOf(step.index);
    const other = run.views.argumentsOf(earlier.index);
    if (sketch === undefined || other === undefined) return false;
    if (argumentSimilarity(sketch, other) < similarity || coversNewGround(sketch, other)) return false;
  }
  if (earlier.outcome === step.outcome) return true;
  const difference = compareSteps(run.views, step.index, earlier.index, earlier.isFailing);
  return difference === "same" || (difference !== undefined && isSimilar(difference));
}

function found(
  step: Step,
  steps: readonly { readonly index: number }[],
  count: number,
  outcome: OutcomeStrength,
): SimilarCallFinding {
  return {
    kind: "similar-call",
    loop: loopIdentity("similar-call", step.tool),
    steps: steps.map(({ index }) => index).sort((one, other) => one - other),
    count,
    isCertain: false,
    confidence: outcome === "blind" || step.failure !== undefined ? 0.85 : 0.95,
    tools: [step.tool],
    evidence: { outcome, isFailing: step.failure !== undefined },
  };
}
