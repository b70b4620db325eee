import { pushLatest, setRecent } from "../collections/bounded.ts";
import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import { isIdle } from "../judge/streak.ts";
import { failingTests } from "../outcome/answer-says.ts";
import type { Step } from "../step.ts";
import { type Detector, loopIdentity, memoryOf } from "./detector.ts";
import { LINES_PER_NEW_FAILURE_LINE, MAX_CHECK_INDICES, MAX_CHECKS } from "./limits.ts";

/** Tests or another check keep failing in spite of changes. */
export interface TestFixFinding extends FindingFacts {
  readonly kind: "test-fix";
  /** How many tests fail, where the runner says. */
  readonly evidence: { readonly failing?: number | undefined };
}

/** When a check that keeps failing in spite of changes is reported. */
export interface TestFixOptions {
  /**
   * Failing runs of one check in a row that make a finding if the failure is the same each time.
   * @default 5
   */
  readonly threshold?: number;
  /**
   * Count every failing run of tests or of a benchmark, even if it fails differently from the one before.
   * @default false
   */
  readonly anyFailure?: boolean;
}

/** A check that fails again and again, whatever was changed in between: tests, a build, a script that reproduces a bug. */
interface Check {
  outcome: Digest;
  /** What the failure says. */
  line: Digest;
  /** Failing runs in a row that say the same. */
  count: number;
  round: number;
  readonly indices: number[];
}

/** Changes of the world do not clear these: failing in spite of changes is what they count. */
interface Checks {
  readonly calls: Map<Digest, Check>;
  /** Rounds in a row with a failing run of tests, of any test command, and the latest of them. */
  tests: { readonly count: number; readonly round: number };
}

const NO_TESTS: Checks["tests"] = { count: 0, round: -1 };

/** Reports a check that fails as before, however often something was changed in between. */
export function testFix(options: TestFixOptions = {}): Detector<TestFixFinding, "step"> {
  const { threshold = 5, anyFailure = false } = options;
  requireInteger("test-fix: threshold", threshold, 2);

  return {
    kind: "test-fix",
    on: "step",
    inspect({ step, text, blindness, isExcused, isSameRoundDuplicate }, run) {
      if (blindness !== "none" || step.isSynthetic || (isExcused && step.failure !== undefined)) return;
      const checks = memoryOf<Checks>(run, "test-fix", () => ({ calls: new Map(), tests: NO_TESTS }));
      const isTest = step.facts.reading.act === "measures";
      if (step.failure === undefined) {
        pass(checks, step, isTest);
        return;
      }
      const check = fail(checks, step);
      const { tests } = checks;
      if (isTest && tests.round !== step.round) checks.tests = { count: tests.count + 1, round: step.round };
      const count = Math.max(check.count, anyFailure && isTest ? checks.tests.count : 0);
      if (isSameRoundDuplicate || count < threshold) return;
      return {
        kind: "test-fix",
        loop: loopIdentity("test-fix", anyFailure && isTest ? "tests" : step.call),
        steps: [...check.indices],
        count,
        isCertain: false,
        confidence: 0.6,
        tools: [step.tool],
        evidence: { failing: isTest ? failingTests(text) : undefined },
      };
    },
  };
}

function pass(checks: Checks, step: Step, isTest: boolean): void {
  if (checks.calls.size === 0 || isIdle(step)) return;
  checks.calls.delete(step.call);
  if (isTest) checks.tests = NO_TESTS;
}

function fail(checks: Checks, step: Step): Check {
  const { call, outcome, index, round } = step;
  const known = checks.calls.get(call);
  const isSame = known !== undefined && failsAsBefore(known, step);
  const check = isSame ? known : { outcome, line: step.failure!.line, count: 1, round, indices: [index] };
  if (check.round !== round) {
    check.count++;
    check.round = round;
    pushLatest(check.indices, index, MAX_CHECK_INDICES);
  }
  setRecent(checks.calls, call, check, MAX_CHECKS);
  return check;
}

/** The very same failure, or the same last words with hardly a line that was not there before. */
function failsAsBefore({ outcome, line }: Check, step: Step): boolean {
  return (
    outcome === step.outcome ||
    (line === step.failure!.line && step.pieces > 0 && step.fresh * LINES_PER_NEW_FAILURE_LINE <= step.pieces)
  );
}
