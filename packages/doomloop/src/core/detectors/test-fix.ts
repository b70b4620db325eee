import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import type { Detector } from "./detector.ts";
import { loopIdentity } from "./loop-identity.ts";

/** Tests or another check keep failing in spite of changes. */
export interface TestFixFinding extends FindingFacts {
  readonly kind: "test-fix";
  /** How many tests fail, where the runner says. */
  readonly evidence: { readonly failing?: number | undefined };
}

export interface TestFixOptions {
  /**
   * Failing runs of one check in a row, the same failure each time, that make a finding.
   * @default 6
   */
  readonly threshold?: number;
  /**
   * Count every failing test run that is not better than the best so far, even if it fails in another way; with
   * `"even-if-better"` every failing test run.
   * @default false
   */
  readonly anyFailure?: boolean | "even-if-better";
}

/** Reports a check that fails as before, however often something was changed in between. */
export function testFix(options: TestFixOptions = {}): Detector<TestFixFinding> {
  const { threshold = 6, anyFailure = false } = options;
  requireInteger("test-fix: threshold", threshold, 2);

  return {
    kind: "test-fix",
    on: "step",
    inspect(run) {
      const { latest: step, check } = run;
      if (step === undefined || check === undefined || step.isExcused || step.isTwin) return;
      const tests = anyFailure === "even-if-better" ? check.testRuns : anyFailure ? check.testFailures : 0;
      const count = Math.max(check.sameFailures, tests);
      if (count < threshold) return;
      return {
        kind: "test-fix",
        loop: loopIdentity("test-fix", anyFailure && step.facts.effect.isTest ? "tests" : step.call),
        steps: [...check.indices],
        count,
        isCertain: false,
        confidence: 0.6,
        tools: [step.tool],
        evidence: { failing: check.failing },
      };
    },
  };
}
