import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import type { Detector } from "./detector.ts";
import { loopIdentity } from "./loop-identity.ts";

/** Nothing new for a long time, in whatever order. */
export interface NoProgressFinding extends FindingFacts {
  readonly kind: "no-progress";
  /** The steps act on pages. */
  readonly evidence: { readonly isPage: boolean };
}

export interface NoProgressOptions {
  /**
   * Rounds in a row, each of them a repeat of something, that make a finding. One that fails as it did before weighs two.
   * @default 8
   */
  readonly threshold?: number;
}

/** Reports novelty starvation: round after round brings only what the run has seen, though no single cycle shows. */
export function noProgress(options: NoProgressOptions = {}): Detector<NoProgressFinding> {
  const { threshold = 8 } = options;
  requireInteger("no-progress: threshold", threshold, 2);

  return {
    kind: "no-progress",
    on: "step",
    inspect(run) {
      const step = run.latest;
      if (step === undefined || step.isBlind || step.isExcused || step.isNew) return;
      const { barrenRounds, failedRounds } = run.counters;
      if (barrenRounds + failedRounds < threshold) return;
      const steps = run.recent.slice(-barrenRounds);
      return {
        kind: "no-progress",
        loop: loopIdentity("no-progress"),
        steps: steps.map((recent) => recent.index).sort((one, other) => one - other),
        count: barrenRounds,
        confidence: 0.8,
        tools: [...new Set(steps.map((recent) => recent.tool))].slice(0, 8),
        evidence: { isPage: step.facts.effect.kind === "page" },
      };
    },
  };
}
