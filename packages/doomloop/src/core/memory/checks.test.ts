import { describe, expect, it } from "vitest";
import { type CheckRecord, createChecks, type FailedCheck, failingTests } from "./checks.ts";

const failed = (at: number, more: Partial<FailedCheck> = {}): FailedCheck => ({
  call: "call",
  outcome: "outcome",
  index: at,
  round: at,
  isTest: true,
  failing: undefined,
  ...more,
});

describe("createChecks", () => {
  const run = (checks: readonly FailedCheck[]): CheckRecord => {
    const memory = createChecks();
    return checks.map((check) => memory.fail(check)).at(-1)!;
  };

  it("counts failures of one check with the same outcome", () => {
    expect(run([failed(1), failed(2), failed(3)])).toMatchObject({ sameFailures: 3, indices: [1, 2, 3] });
    expect(run([failed(1), failed(2, { outcome: "another" })]).sameFailures).toBe(1);
    expect(run([failed(1), failed(2, { call: "another" })]).sameFailures).toBe(1);
  });

  it("counts a round once", () => {
    expect(run([failed(1), failed(2, { round: 1 })])).toMatchObject({ sameFailures: 1, testFailures: 1 });
  });

  it("counts test runs of all commands together, and starts over where fewer fail", () => {
    expect(run([failed(1, { call: "a" }), failed(2, { call: "b" })]).testFailures).toBe(2);
    expect(run([failed(1, { failing: 5 }), failed(2, { failing: 5 }), failed(3, { failing: 4 })]).testFailures).toBe(1);
    expect(run([failed(1, { failing: 5 }), failed(2, { failing: 6 }), failed(3, { failing: 5 })]).testFailures).toBe(3);
    expect(run([failed(1, { isTest: false }), failed(2, { isTest: false })]).testFailures).toBe(0);
  });

  it("starts over when the check passes", () => {
    const checks = createChecks();
    checks.fail(failed(1));
    checks.pass("call", true);

    expect(checks.fail(failed(2))).toMatchObject({ sameFailures: 1, testFailures: 1 });
  });

  it("goes on when another check passes", () => {
    const checks = createChecks();
    checks.fail(failed(1));
    checks.pass("other", false);

    expect(checks.fail(failed(2))).toMatchObject({ sameFailures: 2, testFailures: 2 });
  });

  it("goes on from where it was saved", () => {
    const checks = createChecks();
    checks.fail(failed(1, { failing: 3 }));
    const resumed = createChecks(JSON.parse(JSON.stringify(checks.save())));

    expect(resumed.fail(failed(2, { failing: 3 }))).toMatchObject({
      sameFailures: 2,
      testFailures: 2,
      indices: [1, 2],
    });
  });
});

describe("failingTests", () => {
  it.each([
    ["Tests: 3 failed, 12 passed", 3],
    ["===== 1 failed, 2 passed in 0.12s =====", 1],
    ["FAILED (failures=2, errors=1)", 2],
    ["  4 failing", 4],
    ["Failed: 7", 7],
    ["12 errors found", 12],
    ["Test Suites: 1 failed, 3 passed, 4 total\nTests:       9 failed, 40 passed, 49 total\nTime:        2 s", 9],
    [" Test Files  2 failed | 1 passed (3)\n      Tests  5 failed | 8 passed (13)", 5],
    ["all tests passed", undefined],
    ["", undefined],
  ])("in %j are %j", (output, failing) => {
    expect(failingTests(output)).toBe(failing);
  });

  it("are read from the end of a long output", () => {
    expect(failingTests(`9 failed\n${"a line\n".repeat(200)}2 failed`)).toBe(2);
  });
});
