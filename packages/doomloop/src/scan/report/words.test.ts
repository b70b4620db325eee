import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LoopSummary, Totals } from "./report.ts";
import {
  addedInWords,
  addsNothing,
  answerInWords,
  costSourceInWords,
  evidenceInWords,
  reasonWords,
  sessionsInWords,
  spanInWords,
  spentAfterInWords,
} from "./words.ts";

const REASONS = "changed-world user-spoke news-in-lap new-outcome waiting asked-for same-round compaction".split(" ");

it.each(REASONS)("has plain words of its own for %s, that complete a sentence", (reason) => {
  expect(reasonWords(reason)).toMatch(/^[a-z][a-z ,]{15,60}[a-z]$/);
  expect(REASONS.filter((other) => reasonWords(other) === reasonWords(reason))).toEqual([reason]);
});

it.each(REASONS)("is documented for %s, word by word", (reason) => {
  const page = readFileSync(new URL("../../../../../docs/scan.md", import.meta.url), "utf8");

  expect(page).toContain(`| \`${reason}\` | ${reasonWords(reason)} |\n`);
});

it.each(["tomorrow's", "constructor", "__proto__", ""])("leaves %j as it is", (reason) => {
  expect(reasonWords(reason)).toBe(reason);
});

it("says what a repeat adds to the evidence, or why it adds nothing", () => {
  expect([1, 0.22, 0.333].map(addedInWords)).toEqual(["+1", "+0.22", "+0.33"]);
  expect(addsNothing("waiting")).toBe("adds nothing: it came after a pause, or was waiting for something");
  expect(evidenceInWords({ weight: 7.36 })).toBe("evidence 7.4, where a plain repeat adds 1");
});

it("mentions agents only if there are subagents", () => {
  expect(sessionsInWords({ sessions: 1, agents: 2 })).toBe("1 session, 2 agents");
  expect(sessionsInWords({ sessions: 3, agents: 3 })).toBe("3 sessions");
});

it.each([
  [-5, "0 s"],
  [1, "1 s"],
  [58_000, "58 s"],
  [59_001, "1 min"],
  [250_000, "4 min 10 s"],
  [5_400_000, "1 h 30 min"],
  [7_200_000, "2 h"],
  [260_000_000, "3 days"],
])("writes %i ms as %s", (spanMs, words) => {
  expect(spanInWords(spanMs)).toBe(words);
});

it("says where the cost of a session comes from", () => {
  expect(costSourceInWords("recorded", "2026-09-23")).toBe("as the agent recorded it");
  expect(costSourceInWords("priced", "2026-09-23")).toBe("by list prices of 2026-09-23");
  expect(costSourceInWords("estimated", "2026-09-23")).toBe("estimated from text, by list prices of 2026-09-23");
  expect(costSourceInWords("priced", null)).toBe("by list prices");
});

it("is undefined if there is no cost, or an unknown source", () => {
  expect(costSourceInWords(null, "2026-09-23")).toBeUndefined();
  expect(costSourceInWords("guessed" as "priced", null)).toBeUndefined();
});

const recorded = (low: number, high = low) => ({ low, high, isEstimated: false });
const nothing = { calls: 0, tokens: null, costUsd: null };
const totals: Totals = {
  ...{ sessions: 41, agents: 41, sessionsWithLoops: 3, calls: 1234, loops: 5, loopsByKind: {}, unpricedSessions: 0 },
  ...{
    tokens: recorded(9000),
    costUsd: recorded(30),
    afterOnset: { calls: 40, tokens: recorded(800), costUsd: recorded(2, 4) },
  },
};

it.each([
  [
    totals,
    "3 of 41 sessions went in circles. $2.00 to $4.00 of $30.00 was spent after doomloop would have stepped in.",
  ],
  [
    { ...totals, costUsd: null, afterOnset: { calls: 40, tokens: recorded(800), costUsd: null } },
    "3 of 41 sessions went in circles. 800 tokens of 9.0K tokens were spent after doomloop would have stepped in.",
  ],
  [
    { ...totals, sessionsWithLoops: 1, afterOnset: { ...nothing, calls: 40 } },
    "1 of 41 sessions went in circles. 40 of 1,234 calls were made after doomloop would have stepped in.",
  ],
  [{ ...totals, afterOnset: nothing }, "3 of 41 sessions went in circles."],
  [{ ...totals, sessions: 1, sessionsWithLoops: 1, afterOnset: nothing }, "The only session went in circles."],
  [{ ...totals, loops: 0, agents: 52 }, "No loops in 41 sessions, 52 agents, 1,234 calls."],
])("answers with the best figures that are known (%#)", (known, words) => {
  expect(answerInWords({ totals: known, stopped: null })).toBe(words);
});

const amount = (low: number, high: number) => ({ low, high, isEstimated: false });
const told = (decisions: LoopSummary["decisions"], afterOnset: Partial<LoopSummary["afterOnset"]> = {}) =>
  spentAfterInWords({ decisions, afterOnset: { calls: 23, tokens: null, costUsd: null, ...afterOnset } });
const nudge = { call: 12, action: "nudge" as const };

describe("what was spent after the first nudge", () => {
  it("is money, and counts from the earliest decision", () => {
    const spent = { costUsd: amount(0.29, 0.37), tokens: amount(9, 9) };

    expect(told([{ call: 18, action: "block" }, nudge], spent)).toBe(
      "spent $0.29 to $0.37 after the guard would have nudged it at call 12",
    );
  });

  it("is tokens without a price, and calls without either", () => {
    expect(told([nudge], { tokens: amount(0, 3_100), costUsd: amount(0, 0) })).toMatch(/^spent up to 3\.1K tokens /);
    expect(told([nudge], { tokens: amount(0, 0) })).toMatch(/^made 23 more calls /);
  });

  it("gives the time even if the guard only reports", () => {
    expect(told([])).toBe("made 23 more calls after the guard would have stepped in");
  });

  it("claims nothing for a loop whose calls count for another one", () => {
    expect(told([nudge], { calls: 0 })).toBe(
      "added nothing to the cost after the guard would have nudged it at call 12",
    );
  });
});
