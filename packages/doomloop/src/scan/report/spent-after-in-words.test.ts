import { describe, expect, it } from "vitest";
import type { LoopSummary } from "./report.ts";
import { spentAfterInWords } from "./spent-after-in-words.ts";

const amount = (low: number, high: number) => ({ low, high, isEstimated: false });
const told = (decisions: LoopSummary["decisions"], afterOnset: Partial<LoopSummary["afterOnset"]> = {}) =>
  spentAfterInWords({ decisions, afterOnset: { calls: 23, tokens: null, costUsd: null, ...afterOnset } });
const nudge = { call: 12, action: "nudge" as const };

describe("what was spent after the first word", () => {
  it("is money, and counts from the earliest decision", () => {
    const spent = { costUsd: amount(0.29, 0.37), tokens: amount(9, 9) };

    expect(told([{ call: 18, action: "block" }, nudge], spent)).toBe(
      "spent $0.29 to $0.37 after the guard would have nudged it at call 12",
    );
  });

  it("is tokens without a price, and calls without either, never nothing", () => {
    expect(told([nudge], { tokens: amount(0, 3_100), costUsd: amount(0, 0) })).toMatch(/^spent up to 3\.1K tokens /);
    expect(told([nudge], { tokens: amount(0, 0) })).toMatch(/^made 23 calls more /);
  });

  it("says when also where the guard only reports", () => {
    expect(told([])).toBe("made 23 calls more after the guard would first have spoken");
  });

  it("claims nothing of a loop whose calls another one counts", () => {
    expect(told([nudge], { calls: 0 })).toBe(
      "spent nothing of its own after the guard would have nudged it at call 12",
    );
  });
});
