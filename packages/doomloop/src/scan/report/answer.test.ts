import { describe, expect, it } from "vitest";
import { answerInWords, lateFigures, spentAfterInWords, spentLateInWords } from "./answer.ts";
import type { LoopSummary, Totals } from "./report.ts";

const recorded = (low: number, high = low) => ({ low, high, isEstimated: false });
const nothing = { calls: 0, tokens: null, costUsd: null };
const totals: Totals = {
  ...{
    sessions: 41,
    agents: 41,
    sessionsWithLoops: 3,
    calls: 1234,
    loops: 5,
    possibleLoops: 0,
    loopsByKind: {},
    unpricedSessions: 0,
  },
  ...{
    tokens: recorded(9000),
    costUsd: recorded(30),
    afterOnset: { calls: 40, timeMs: 250_000, tokens: recorded(800), costUsd: recorded(2, 4) },
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
  [
    { ...totals, afterOnset: { ...totals.afterOnset, fromNudge: { tokens: recorded(800), costUsd: recorded(4) } } },
    "3 of 41 sessions went in circles. $4.00 of $30.00 was spent after doomloop would have stepped in.",
  ],
  [
    { ...totals, possibleLoops: 2 },
    "3 of 41 sessions went in circles. $2.00 to $4.00 of $30.00 was spent after doomloop would have stepped in. 2 possible loops.",
  ],
  [{ ...totals, loops: 0, possibleLoops: 1 }, "No loops in 41 sessions, 1,234 calls. 1 possible loop."],
  [{ ...totals, afterOnset: nothing }, "3 of 41 sessions went in circles."],
  [{ ...totals, sessions: 1, sessionsWithLoops: 1, afterOnset: nothing }, "The only session went in circles."],
  [{ ...totals, loops: 0, agents: 52 }, "No loops in 41 sessions, 52 agents, 1,234 calls."],
])("answers with the best figures that are known (%#)", (known, words) => {
  expect(answerInWords({ totals: known, loops: [], stopped: null })).toBe(words);
});

describe("a range that is wider than a factor of two", () => {
  const guessed = (low: number, high: number) => ({ low, high, isEstimated: true });
  const late = { calls: 40, timeMs: 250_000, tokens: guessed(900, 1_200), costUsd: guessed(1, 9) };
  const wide: Totals = { ...totals, tokens: guessed(9_000, 12_000), costUsd: guessed(1_457, 15_940), afterOnset: late };
  const why = "The cost is not known closely, because transcripts have no token counts";

  it("is not in a headline: tokens are, and the reason", () => {
    expect(spentLateInWords({ totals: wide, loops: [] })).toBe(
      `About 900 to 1.2K tokens of about 9.0K to 12.0K tokens were spent after doomloop would have stepped in. ${why}`,
    );
  });

  it("gives calls and time if tokens are not known closely either", () => {
    const wider = { ...wide, afterOnset: { ...late, tokens: guessed(100, 1_200) } };

    expect(spentLateInWords({ totals: wider, loops: [] })).toBe(
      `40 of 1,234 calls were made in 4 min 10 s after doomloop would have stepped in. ${why}`,
    );
  });
});

it("never shows a part that is above the whole", () => {
  const afterOnset = { calls: 9, tokens: null, costUsd: recorded(31) };

  expect(spentLateInWords({ totals: { ...totals, afterOnset }, loops: [] })).toMatch(/^\$30\.00 of \$30\.00 was/);
});

const amount = (low: number, high: number) => ({ low, high, isEstimated: false });
const told = (decisions: LoopSummary["decisions"], afterOnset: Partial<LoopSummary["afterOnset"]> = {}) =>
  spentAfterInWords({
    calls: [[1, 40]],
    decisions,
    afterOnset: { calls: 23, tokens: null, costUsd: null, ...afterOnset },
  });
const nudge = { call: 12, action: "nudge" as const };

describe("what was spent after the first nudge", () => {
  it("is money, and counts from the earliest decision", () => {
    const spent = { costUsd: amount(0.29, 0.37), tokens: amount(9, 9) };

    expect(told([{ call: 18, action: "block" }, nudge], spent)).toBe(
      "spent $0.29 to $0.37 after the guard would have nudged it at call 12",
    );
  });

  it("is tokens without a price, and calls without either", () => {
    expect(told([nudge], { tokens: amount(3_000, 3_100), costUsd: amount(0, 0) })).toMatch(
      /^spent 3\.0K to 3\.1K tokens /,
    );
    expect(told([nudge], { tokens: amount(0, 3_100) })).toMatch(/^made 23 more calls /);
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

it("lists no range that is wider than a factor of two, but what it cost at most", () => {
  const wide = { calls: 12, timeMs: 184_000, tokens: amount(2, 900), costUsd: amount(0.1, 0.9) };

  expect(lateFigures(wide)).toEqual(["up to $0.90", "12 calls"]);
  expect(lateFigures({ ...wide, costUsd: null })).toEqual(["12 calls in 3 min 4 s"]);
  expect(lateFigures({ ...wide, costUsd: null, tokens: amount(500, 900) })).toEqual(["500 to 900 tokens", "12 calls"]);
  expect(lateFigures({ ...wide, costUsd: amount(0.5, 0.9) })).toEqual(["$0.50 to $0.90", "12 calls"]);
});

it("adds the tokens of loops without a price to the money", () => {
  const loop = (afterOnset: Totals["afterOnset"]) => ({ afterOnset }) as LoopSummary;
  const unpriced = loop({ calls: 9, tokens: recorded(4_200_000), costUsd: null });
  const priced = loop({ calls: 9, tokens: recorded(800), costUsd: recorded(2, 4) });

  expect(spentLateInWords({ totals, loops: [unpriced, priced] })).toBe(
    "$2.00 to $4.00 of $30.00, and 4.2M tokens without a price, were spent after doomloop would have stepped in",
  );
});

describe("a loop of answers without calls", () => {
  const afterOnset = { calls: 0, answers: 13, tokens: recorded(650_000), costUsd: recorded(0.13) };
  const loop = { calls: [], decisions: [{ call: 3, action: "nudge" as const }], afterOnset };

  it("costs what its answers cost, which are counted instead of calls", () => {
    expect(lateFigures(afterOnset)).toEqual(["$0.13", "13 answers"]);
    expect(spentAfterInWords(loop)).toBe("spent $0.13 after the guard would have nudged it after call 3");
    expect(spentAfterInWords({ ...loop, afterOnset: { ...afterOnset, tokens: null, costUsd: null } })).toMatch(
      /^gave 13 more answers /,
    );
    expect(
      spentLateInWords({
        totals: { ...totals, costUsd: null, tokens: null, afterOnset: { ...afterOnset, tokens: null, costUsd: null } },
        loops: [],
      }),
    ).toBe("13 answers were given after doomloop would have stepped in");
  });
});
