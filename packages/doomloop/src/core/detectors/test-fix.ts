import { pushLatest, setRecent } from "../collections/bounded.ts";
import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import { isIdle } from "../judge/streak.ts";
import { failingTests } from "../outcome/answer-says.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Step } from "../step.ts";
import { type Detector, memoryOf } from "./detector.ts";
import { loopIdentity } from "./loop-identity.ts";

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
   * Count every failing test run that is not better than the best so far, even if it fails in another way; with
   * `"even-if-better"` every failing test run.
   * @default false
   */
  readonly anyFailure?: boolean | "even-if-better";
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

/** Failing runs of tests in a row, of any test command. */
interface Tests {
  /** Those that did not get better. */
  count: number;
  all: number;
  round: number;
  fewest: number | undefined;
}

/** Changes of the world do not clear these: failing in spite of changes is what they count. */
interface Checks {
  readonly calls: Map<Digest, Check>;
  tests: Tests;
}

/** One in so many lines may be new in a failure that is the same. */
const MOSTLY = 4;
const CAPACITY = 16;
const MAX_INDICES = 8;

/** Reports a check that fails as before, however often something was changed in between. */
export function testFix(options: TestFixOptions = {}): Detector<TestFixFinding, "step"> {
  const { threshold = 5, anyFailure = false } = options;
  requireInteger("test-fix: threshold", threshold, 2);

  return {
    kind: "test-fix",
    on: "step",
    inspect({ step, text, blindness, isExcused, isTwin }, run) {
      if (blindness !== "none" || step.isSynthetic || (isExcused && step.failure !== undefined)) return;
      const checks = memoryOf(run, "test-fix", createChecks);
      if (step.failure === undefined) {
        pass(checks, step, Boolean(anyFailure));
        return;
      }
      const known = checks.calls.get(step.call);
      // Whether it is a run of tests is asked only where it matters: every one counts, or this one fails as it did before.
      const isTest =
        (anyFailure || (known !== undefined && failsAsBefore(known, step))) && factsOf(step).reading.isTest;
      const check = fail(checks, known, step);
      const failing = isTest ? failingTests(text) : undefined;
      if (isTest) failTests(checks.tests, step.round, failing);
      const { all, count: notBetter } = checks.tests;
      const tests = !isTest || !anyFailure ? 0 : anyFailure === "even-if-better" ? all : notBetter;
      const count = Math.max(check.count, tests);
      if (isTwin || count < threshold) return;
      return {
        kind: "test-fix",
        loop: loopIdentity("test-fix", anyFailure && isTest ? "tests" : step.call),
        steps: [...check.indices],
        count,
        isCertain: false,
        confidence: 0.6,
        tools: [step.tool],
        evidence: { failing },
      };
    },
  };
}

function createChecks(): Checks {
  return { calls: new Map(), tests: noTests() };
}

function noTests(): Tests {
  return { count: 0, all: 0, round: -1, fewest: undefined };
}

function pass(checks: Checks, step: Step, countsTests: boolean): void {
  if (checks.calls.size === 0 || isIdle(step)) return;
  checks.calls.delete(step.call);
  if (countsTests && factsOf(step).reading.isTest) checks.tests = noTests();
}

function fail(checks: Checks, known: Check | undefined, step: Step): Check {
  const { call, outcome, index, round } = step;
  const isSame = known !== undefined && failsAsBefore(known, step);
  const check = isSame ? known : { outcome, line: step.failure!.line, count: 1, round, indices: [index] };
  if (check.round !== round) {
    check.count++;
    check.round = round;
    pushLatest(check.indices, index, MAX_INDICES);
  }
  setRecent(checks.calls, call, check, CAPACITY);
  return check;
}

/** The very same failure, or the same last words with hardly a line that was not there before. */
function failsAsBefore({ outcome, line }: Check, step: Step): boolean {
  return (
    outcome === step.outcome || (line === step.failure!.line && step.pieces > 0 && step.fresh * MOSTLY <= step.pieces)
  );
}

function failTests(tests: Tests, round: number, failing: number | undefined): void {
  const isBetter = failing !== undefined && tests.fewest !== undefined && failing < tests.fewest;
  if (tests.round !== round) {
    tests.count = isBetter ? 1 : tests.count + 1;
    tests.all++;
  }
  tests.round = round;
  if (failing !== undefined) tests.fewest = Math.min(failing, tests.fewest ?? failing);
}
