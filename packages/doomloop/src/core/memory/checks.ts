import type { Digest } from "../identity/digest.ts";
import { createRecencyTable } from "./recency-table.ts";

/** A check that fails again and again, whatever was changed in between: tests, a build, a script that reproduces a bug. */
export interface CheckRecord {
  /** Failing runs in a row with the same outcome in substance. */
  readonly sameFailures: number;
  /** Failing test runs in a row, of any test command, that did not get better. */
  readonly testFailures: number;
  /** All failing test runs in a row. */
  readonly testRuns: number;
  readonly indices: readonly number[];
  /** How many tests fail, where the output tells. */
  readonly failing: number | undefined;
}

/** The checks of a run. Changes of the world do not clear them: failing in spite of changes is what they count. */
export interface Checks {
  isEmpty(): boolean;
  /** Whether the check failed with this outcome the last time. */
  hasFailed(call: Digest, outcome: Digest): boolean;
  fail(check: FailedCheck): CheckRecord;
  pass(call: Digest, isTest: boolean): void;
  clear(): void;
  save(): SavedChecks;
}

export interface FailedCheck {
  readonly call: Digest;
  readonly outcome: Digest;
  readonly index: number;
  readonly round: number;
  readonly isTest: boolean;
  readonly failing: number | undefined;
}

interface Tally {
  outcome: Digest;
  count: number;
  round: number;
  indices: number[];
}

interface TestTally {
  count: number;
  runs: number;
  round: number;
  best: number | undefined;
}

const NO_TESTS: TestTally = { count: 0, runs: 0, round: -1, best: undefined };

export interface SavedChecks {
  readonly calls: readonly (readonly [Digest, Tally])[];
  readonly tests: TestTally;
}

const CAPACITY = 16;
const MAX_INDICES = 8;

/** Creates the memory of checks, empty or as it was saved. */
export function createChecks(saved?: SavedChecks): Checks {
  const calls = createRecencyTable<Tally>(CAPACITY);
  for (const [call, tally] of saved?.calls ?? []) calls.set(call, { ...tally, indices: [...tally.indices] });
  let tests: TestTally = { ...NO_TESTS, ...saved?.tests };

  const failTest = (check: FailedCheck): void => {
    const isBetter = check.failing !== undefined && tests.best !== undefined && check.failing < tests.best;
    if (tests.round !== check.round) {
      tests.count = isBetter ? 1 : tests.count + 1;
      tests.runs++;
    }
    tests.round = check.round;
    if (check.failing !== undefined) tests.best = Math.min(check.failing, tests.best ?? check.failing);
  };

  return {
    isEmpty() {
      return calls.size() === 0;
    },
    hasFailed: (call, outcome) => calls.get(call)?.outcome === outcome,
    fail(check) {
      let tally = calls.get(check.call);
      if (tally === undefined || tally.outcome !== check.outcome) {
        tally = { outcome: check.outcome, count: 1, round: check.round, indices: [check.index] };
      } else if (tally.round !== check.round) {
        tally.count++;
        tally.round = check.round;
        tally.indices.push(check.index);
        if (tally.indices.length > MAX_INDICES) tally.indices.shift();
      }
      calls.set(check.call, tally);
      if (check.isTest) failTest(check);
      return {
        sameFailures: tally.count,
        testFailures: check.isTest ? tests.count : 0,
        testRuns: check.isTest ? tests.runs : 0,
        indices: tally.indices,
        failing: check.failing,
      };
    },
    pass(call, isTest) {
      calls.delete(call);
      if (isTest) tests = { ...NO_TESTS };
    },
    clear() {
      calls.clear();
      tests = { ...NO_TESTS };
    },
    save: () => ({ calls: [...calls.entries()], tests }),
  };
}

const FAILING_TESTS =
  /\b(\d{1,6}) (?:failed|failing|failures?|errors?)\b|\bfailures=(\d{1,6})\b|\bFailed:\s{0,3}(\d{1,6})\b/gi;

/** How many tests fail according to a test runner's last words, the most that it says of suites and tests; undefined if it does not. */
export function failingTests(output: string): number | undefined {
  const counts = [...output.slice(-600).matchAll(FAILING_TESTS)].map((match) =>
    Number(match[1] ?? match[2] ?? match[3]),
  );
  return counts.length === 0 ? undefined : Math.max(...counts);
}
