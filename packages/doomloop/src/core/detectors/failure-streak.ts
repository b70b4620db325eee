import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import { failuresInRow, isListOfItems, streakSinceChange } from "../judge/streak.ts";
import { type Detector, loopIdentity } from "./detector.ts";
import { ACROSS_TOOLS, LONG_LIST } from "./limits.ts";

/** One call after another fails. */
export interface FailureStreakFinding extends FindingFacts {
  readonly kind: "failure-streak";
  /** Most of the failing commands work on files, which the agent's file tools do better. */
  readonly evidence: { readonly isFileWork: boolean };
}

/** When a tool whose calls keep failing, in whatever way, is reported. */
export interface FailureStreakOptions {
  /**
   * Failing calls of one tool in a row that make a finding, however they fail.
   * @default 8
   */
  readonly threshold?: number;
}

/** Reports a tool whose calls fail one after the other, each in its own way. Ends with a success or a new change. */
export function failureStreak(options: FailureStreakOptions = {}): Detector<FailureStreakFinding, "step"> {
  const { threshold = 8 } = options;
  requireInteger("failure-streak: threshold", threshold, 2, 20);

  return {
    kind: "failure-streak",
    on: "step",
    inspect({ step, isExcused }, run) {
      if (step.failure === undefined || isExcused) return;
      const failures = failuresInRow(run, step.tool);
      const streak =
        streakSinceChange(run, failures, threshold, () => true) ??
        streakSinceChange(run, failuresInRow(run), ACROSS_TOOLS * threshold, () => true);
      if (streak === undefined || (streak.weight < LONG_LIST && isListOfItems(streak.steps))) return;
      const fileWork = failures.filter((failed) => failed.facts.reading.isFileOperation).length;
      return {
        kind: "failure-streak",
        loop: loopIdentity("failure-streak", step.tool),
        steps: streak.steps.map(({ index }) => index),
        count: Math.floor(streak.weight),
        isCertain: false,
        confidence: 0.85,
        tools: [step.tool],
        evidence: { isFileWork: fileWork * 2 > failures.length },
      };
    },
  };
}
