import { expect, it } from "vitest";
import { answerInWords } from "./answer-in-words.ts";
import type { Totals } from "./report.ts";

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
    "3 of 41 sessions went in circles. After the first nudge would have come, they spent $2.00 to $4.00 of $30.00.",
  ],
  [
    { ...totals, costUsd: null, afterOnset: { calls: 40, tokens: recorded(800), costUsd: null } },
    "3 of 41 sessions went in circles. After the first nudge would have come, they spent 800 tokens of 9.0K tokens.",
  ],
  [
    { ...totals, sessionsWithLoops: 1, afterOnset: { ...nothing, calls: 40 } },
    "1 of 41 sessions went in circles. After the first nudge would have come, it made 40 of 1,234 calls.",
  ],
  [{ ...totals, afterOnset: nothing }, "3 of 41 sessions went in circles."],
  [{ ...totals, loops: 0, agents: 52 }, "No loops in 41 sessions, 52 agents, 1,234 calls."],
])("answers as well as it is known (%#)", (known, words) => {
  expect(answerInWords(known)).toBe(words);
});
