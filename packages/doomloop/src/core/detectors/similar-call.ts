import { DoomloopError, requireInteger } from "../doomloop-error.ts";
import type { FindingFacts, OutcomeStrength } from "../finding.ts";
import { argumentSimilarity, coversNewGround } from "../identity/argument-sketch.ts";
import { compareOutcomes } from "../identity/outcome-profile.ts";
import { streakOf } from "../memory/failures.ts";
import type { RecentStep, RunState } from "../memory/run-state.ts";
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
   * @default 0.8
   */
  readonly similarity?: number;
}

const SIMILAR_OUTCOME = 0.9;
const LENGTH_TOLERANCE = 0.02;
/** Failing calls are compared less strictly: what they share besides is that they fail. */
const FAILING_SIMILARITY = 0.5;
const BLIND_AFTER = 8;

/**
 * Reports calls that differ a little and come to the same.
 *
 * Similar arguments alone mean nothing: sibling files and next pages are similar too. The outcome must be the same, and
 * another page or range is new ground.
 */
export function similarCall(options: SimilarCallOptions = {}): Detector<SimilarCallFinding> {
  const { threshold = 4, failingThreshold = 5, blindThreshold = 5, similarity = 0.8 } = options;
  requireInteger("similar-call: threshold", threshold, 2);
  requireInteger("similar-call: failingThreshold", failingThreshold, 2);
  requireInteger("similar-call: blindThreshold", blindThreshold, 2);
  if (!(similarity > 0 && similarity <= 1)) {
    throw new DoomloopError(
      "invalid-option",
      `similar-call: a similarity above 0 and at most 1 is required, got ${similarity}`,
    );
  }

  const inspectOutcomes = (run: RunState, step: Step): SimilarCallFinding | undefined => {
    if (!step.isTelling || step.isBlind) return;
    const length = run.recent.at(-1)?.length ?? 0;
    const alike = run.recent.filter((earlier) => isAlike(run, step, earlier, similarity, length));
    const rounds = new Set(alike.map((earlier) => earlier.round));
    if (rounds.size < threshold || new Set(alike.map((earlier) => earlier.call)).size < 2) return;
    return found(step, alike, rounds.size, "similar", 0.85);
  };

  const inspectFailures = (run: RunState, step: Step): SimilarCallFinding | undefined => {
    if (step.failure === undefined) return;
    const sketch = run.views.argumentsOf(step.index);
    if (sketch === undefined) return;
    const streak = streakOf(run.failures.of(step.tool), (failed) => {
      const other = run.views.argumentsOf(failed.index);
      return other !== undefined && argumentSimilarity(sketch, other) >= FAILING_SIMILARITY;
    });
    if (streak.weight < failingThreshold) return;
    const steps = streak.indices.map((index) => ({ index }));
    return found(step, steps, Math.floor(streak.weight), "similar", 0.85);
  };

  const inspectBlindly = (run: RunState, step: Step): SimilarCallFinding | undefined => {
    if (!step.isBlind || step.index < BLIND_AFTER - 1 || step.effect.kind === "look") return;
    const sketch = run.views.argumentsOf(step.index);
    if (sketch === undefined) return;
    const alike: RecentStep[] = [];
    for (let at = run.recent.length - 1; at >= 0; at--) {
      const earlier = run.recent[at]!;
      const other = run.views.argumentsOf(earlier.index);
      if (earlier.tool !== step.tool || other === undefined || coversNewGround(sketch, other)) break;
      if (argumentSimilarity(sketch, other) < similarity) break;
      alike.unshift(earlier);
    }
    const isVaried = new Set(alike.map((earlier) => earlier.call)).size > 1;
    return alike.length >= blindThreshold && isVaried ? found(step, alike, alike.length, "blind", 0.75) : undefined;
  };

  return {
    kind: "similar-call",
    on: "step",
    inspect(run) {
      const step = run.latest;
      if (step === undefined || step.isExcused || step.hasChangedWorld) return;
      return inspectOutcomes(run, step) ?? inspectFailures(run, step) ?? inspectBlindly(run, step);
    },
  };
}

function isAlike(run: RunState, step: Step, earlier: RecentStep, similarity: number, length: number): boolean {
  if (earlier.index === step.index) return true;
  if (earlier.tool !== step.tool || earlier.isFailing !== (step.failure !== undefined)) return false;
  if (earlier.outcome !== step.outcome && Math.abs(earlier.length - length) > LENGTH_TOLERANCE * length) return false;
  const sketch = run.views.argumentsOf(step.index);
  const other = run.views.argumentsOf(earlier.index);
  if (sketch === undefined || other === undefined) return false;
  if (earlier.call !== step.call) {
    if (argumentSimilarity(sketch, other) < similarity || coversNewGround(sketch, other)) return false;
  }
  return earlier.outcome === step.outcome || isSimilarOutcome(run, step.index, earlier.index);
}

function isSimilarOutcome(run: RunState, one: number, other: number): boolean {
  const latest = run.views.outcomeOf(one);
  const earlier = run.views.outcomeOf(other);
  if (latest === undefined || earlier === undefined) return false;
  if (latest.isWhole && earlier.isWhole && latest.digest === earlier.digest) return true;
  const difference = compareOutcomes(latest, earlier);
  return difference !== undefined && difference.numbersUnder === undefined && difference.similarity >= SIMILAR_OUTCOME;
}

function found(
  step: Step,
  steps: readonly { readonly index: number }[],
  count: number,
  outcome: OutcomeStrength,
  confidence: number,
): SimilarCallFinding {
  return {
    kind: "similar-call",
    loop: loopIdentity("similar-call", step.tool, step.failure?.kind ?? (outcome === "blind" ? "" : step.outcome)),
    steps: steps.map(({ index }) => index),
    count,
    confidence,
    tools: [step.tool],
    evidence: { outcome, isFailing: step.failure !== undefined },
  };
}
