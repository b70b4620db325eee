import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import { streakOf } from "../memory/failures.ts";
import type { RecentStep, RunState } from "../memory/run-state.ts";
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
}

/**
 * Reports different attempts that come to one and the same: one class of failure, or one answer whatever is asked.
 *
 * A short answer (`True`, `[]`) does not count: it is the same because it is short.
 */
export function sameOutcome(options: SameOutcomeOptions = {}): Detector<SameOutcomeFinding> {
  const { threshold = 4, answerThreshold = 5 } = options;
  requireInteger("same-outcome: threshold", threshold, 2);
  requireInteger("same-outcome: answerThreshold", answerThreshold, 2);

  const inspectFailure = (run: RunState, step: Step): SameOutcomeFinding | undefined => {
    const kind = step.failure?.kind;
    if (kind === undefined) return;
    const across = streakOf(run.failures.acrossTools(), (failed) => failed.kind === kind);
    const own = streakOf(run.failures.of(step.tool), (failed) => failed.kind === kind);
    const streak = across.weight >= own.weight ? across : own;
    if (streak.weight < threshold) return;
    return found(step, streak.indices, Math.floor(streak.weight), loopIdentity("same-outcome", kind), 0.9);
  };

  const inspectAnswer = (run: RunState, step: Step): SameOutcomeFinding | undefined => {
    if (!step.isTelling) return;
    const same: RecentStep[] = [];
    for (let at = run.recent.length - 1; at >= 0; at--) {
      const earlier = run.recent[at]!;
      if (earlier.tool !== step.tool || earlier.outcome !== step.outcome) break;
      same.unshift(earlier);
    }
    const rounds = new Set(same.map((earlier) => earlier.round)).size;
    if (rounds < answerThreshold || new Set(same.map((earlier) => earlier.call)).size < 2) return;
    const loop = loopIdentity("same-outcome", step.tool, step.outcome);
    return found(
      step,
      same.map((earlier) => earlier.index),
      rounds,
      loop,
      0.85,
    );
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

function found(
  step: Step,
  steps: readonly number[],
  count: number,
  loop: string,
  confidence: number,
): SameOutcomeFinding {
  const isFailing = step.failure !== undefined;
  return { kind: "same-outcome", loop, steps, count, confidence, tools: [step.tool], evidence: { isFailing } };
}
