import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import { isListOfItems } from "../judge/list-of-items.ts";
import { type FailedStep, streakSinceChange } from "../memory/failures.ts";
import { type RecentStep, type RunState, sinceChange } from "../memory/run-state.ts";
import type { Step } from "../step.ts";
import type { Detector } from "./detector.ts";
import { loopIdentity } from "./loop-identity.ts";

/** Different attempts, one outcome. */
export interface SameOutcomeFinding extends FindingFacts {
  readonly kind: "same-outcome";
  readonly evidence: { readonly isFailing: boolean };
}

export interface SameOutcomeOptions {
  /**
   * Failures of one class in a row, whatever the calls, that make a finding. One more where only words tell of failure.
   * @default 4
   */
  readonly threshold?: number;
  /**
   * Different calls of one tool in a row with the very same telling answer that make a finding.
   * @default 5
   */
  readonly answerThreshold?: number;
  /**
   * Different calls of one tool in a row that all find nothing and make a finding. Off by default: looking a list of
   * names up one by one looks the same.
   * @default false
   */
  readonly nothingThreshold?: number | false;
  /**
   * Spares failures of calls that work through a list of items, up to twelve.
   * @default true
   */
  readonly sparesLists?: boolean;
}

/**
 * Reports different attempts that come to one and the same: one class of failure, or one answer whatever is asked.
 *
 * A short answer (`True`, `[]`) does not count: it is the same because it is short.
 */
export function sameOutcome(options: SameOutcomeOptions = {}): Detector<SameOutcomeFinding> {
  const { threshold = 4, answerThreshold = 5, nothingThreshold = false, sparesLists = true } = options;
  requireInteger("same-outcome: threshold", threshold, 2, 31);
  requireInteger("same-outcome: answerThreshold", answerThreshold, 2, 12);
  if (nothingThreshold !== false) requireInteger("same-outcome: nothingThreshold", nothingThreshold, 2, 12);

  const inspectFailure = (run: RunState, step: Step): SameOutcomeFinding | undefined => {
    const kind = step.failure?.kind;
    if (kind === undefined) return;
    const isSameKind = (failed: FailedStep): boolean => failed.kind === kind;
    const streak =
      streakSinceChange(run.world, run.failures.acrossTools(), threshold, isSameKind) ??
      streakSinceChange(run.world, run.failures.of(step.tool), threshold, isSameKind);
    if (streak === undefined || (sparesLists && isListOfItems(run, step, streak.indices))) return;
    return found(step, streak.indices, Math.floor(streak.weight), loopIdentity("same-outcome", kind), 0.9);
  };

  const inspectAnswer = (run: RunState, step: Step): SameOutcomeFinding | undefined => {
    if (step.failure !== undefined) return;
    if (step.isTelling)
      return inRow(run, step, (earlier) => earlier.outcome === step.outcome, answerThreshold, step.outcome);
    if (nothingThreshold === false || !step.isNothing) return;
    return inRow(run, step, (earlier) => earlier.isNothing, nothingThreshold, "nothing");
  };

  return {
    kind: "same-outcome",
    on: "step",
    inspect(run) {
      const step = run.latest;
      if (step === undefined || step.isBlind || step.isExcused) return;
      return inspectFailure(run, step) ?? inspectAnswer(run, step);
    },
  };
}

/** Different calls of one tool, one behind the other, with no change in between. */
function inRow(
  run: RunState,
  step: Step,
  fits: (earlier: RecentStep) => boolean,
  threshold: number,
  what: string,
): SameOutcomeFinding | undefined {
  let from = run.recent.length;
  while (from > 0 && run.recent[from - 1]!.tool === step.tool && fits(run.recent[from - 1]!)) from--;
  if (run.recent.length - from < threshold) return undefined;
  const same = sinceChange(run, run.recent.slice(from));
  // Files that each have a name of their own may hold the same: that is what was asked.
  if (step.facts.effect.isFileRead && new Set(same.map((earlier) => earlier.facts.like)).size > 1) return undefined;
  const rounds = new Set(same.map((earlier) => earlier.round)).size;
  if (rounds < threshold || new Set(same.map((earlier) => earlier.call)).size < 2) return undefined;
  const indices = same.map((earlier) => earlier.index).sort((one, other) => one - other);
  return found(step, indices, rounds, loopIdentity("same-outcome", step.tool, what), 0.85);
}

function found(
  step: Step,
  steps: readonly number[],
  count: number,
  loop: string,
  confidence: number,
): SameOutcomeFinding {
  const isFailing = step.failure !== undefined;
  return {
    kind: "same-outcome",
    loop,
    steps,
    count,
    confidence,
    isCertain: false,
    tools: [step.tool],
    evidence: { isFailing },
  };
}
