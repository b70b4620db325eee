import { describe, expect, it } from "vitest";
import { failingTests } from "./failing-tests.ts";

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
