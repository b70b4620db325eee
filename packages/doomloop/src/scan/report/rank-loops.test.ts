import { expect, it } from "vitest";
import { rankBySpending } from "./rank-loops.ts";
import type { Amount } from "./report.ts";

const amount = (low: number, high = low): Amount => ({ low, high, isEstimated: false });
const loop = (name: string, calls: number, costUsd: Amount | null) => ({
  name,
  afterOnset: { calls, tokens: null, costUsd, fromNudge: { tokens: null, costUsd } },
});

function ranked(loops: readonly ReturnType<typeof loop>[]): readonly string[] {
  const rank = rankBySpending(loops);
  return loops.toSorted((one, other) => rank(other) - rank(one)).map(({ name }) => name);
}

it("puts a loop without a price where its calls belong", () => {
  const loops = [loop("cheap", 10, amount(0.1)), loop("no price", 15, null), loop("dear", 20, amount(0.2))];

  expect(ranked(loops)).toEqual(["dear", "no price", "cheap"]);
});

it("ranks by calls what has no price, or only a wide one", () => {
  expect(ranked([loop("short", 4, amount(0.1, 9)), loop("long", 30, null)])).toEqual(["long", "short"]);
});

it("ranks answers without calls among the others", () => {
  const answers = loop("answers", 0, null);
  const loops = [loop("short", 4, null), { ...answers, afterOnset: { ...answers.afterOnset, answers: 13 } }];

  expect(ranked(loops)).toEqual(["answers", "short"]);
});

it("never puts a loop above one that costs more than it may have cost", () => {
  const loops = [loop("dear", 4, amount(0.16)), loop("wide", 30, amount(0.01, 0.09)), loop("cheap", 4, amount(0.05))];

  expect(ranked(loops)).toEqual(["dear", "wide", "cheap"]);
});

it("gives a number for loops that spent nothing", () => {
  const rank = rankBySpending([loop("none", 0, amount(0))]);

  expect(rank(loop("none", 0, amount(0)))).toBe(0);
});
