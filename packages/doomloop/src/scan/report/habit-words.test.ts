import { expect, it } from "vitest";
import { habitFacts } from "./habit-words.ts";
import type { Amount, Habits, SessionSummary } from "./report.ts";

const habits: Habits = { calls: 0, failedCalls: 0, testRuns: 0, edits: 0, repeated: [], nearest: null };

const amount = (low: number, high = low): Amount => ({ low, high, isEstimated: low !== high });

const session = (id: string, costUsd: Amount | null, tokens: Amount | null): SessionSummary => ({
  ...{ id, partOf: null, agent: "pi", agentName: "pi", project: null, model: null, startedAt: null, endedAt: "" },
  ...{ isFileTime: false, calls: 9, tokens, costUsd, costFrom: null, loops: 0, possibleLoops: 0 },
});

const dearest = (...sessions: SessionSummary[]): readonly string[] | undefined =>
  habitFacts({ sessions, habits }).find(({ name }) => name === "Most expensive")?.lines;

it("ranks sessions with a price by it, whatever others used", () => {
  const rough = session("rough", amount(2, 9), amount(80, 120));
  const unpriced = session("unpriced", null, amount(9e6));
  const dear = session("dear", amount(3), amount(5e4));

  expect(dearest(unpriced, rough, dear)).toEqual([
    "$3.00, 9 calls: pi, session dear",
    "about $2.00 to $9.00, 9 calls: pi, session rough",
  ]);
});

it("ranks by tokens if no session has a price", () => {
  expect(dearest(session("a", null, amount(100)), session("b", null, amount(2e3)))).toEqual([
    "2.0K tokens, 9 calls: pi, session b",
    "100 tokens, 9 calls: pi, session a",
  ]);
});
