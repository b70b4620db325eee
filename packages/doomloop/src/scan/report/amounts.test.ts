import { expect, it } from "vitest";
import { moneyInWords, rankBySpending, shortNumber, spentInWords, tokensInWords } from "./amounts.ts";
import type { Amount } from "./report.ts";

const recorded = (low: number, high = low) => ({ low, high, isEstimated: false });
const estimated = (low: number, high: number) => ({ low, high, isEstimated: true });

it.each([
  [0, "0"],
  [999, "999"],
  [1000, "1.0K"],
  [99_949, "99.9K"],
  [999_999, "1.0M"],
  [1.25e9, "1.3G"],
])("shortens %d to %s", (value, text) => {
  expect(shortNumber(value)).toBe(text);
});

it.each([
  [recorded(0.0000001), "under $0.01"],
  [recorded(0.004), "under $0.01"],
  [recorded(0.01), "$0.01"],
  [recorded(999.999), "$1,000"],
  [recorded(1234.5), "$1,235"],
  [recorded(0), "nothing"],
  [recorded(0.2, 1.1), "$0.20 to $1.10"],
  [recorded(0, 0.43), "up to $0.43"],
  [estimated(0.004, 0.43), "up to about $0.43"],
  [estimated(1, 2), "about $1.00 to $2.00"],
  [recorded(Number.NaN), "nothing"],
])("says %j as money: %s", (amount, words) => {
  expect(moneyInWords(amount)).toBe(words);
});

it.each([
  [recorded(0), "no tokens"],
  [recorded(1), "1 token"],
  [recorded(1_500, 2_000_000), "1.5K to 2.0M tokens"],
  [estimated(0, 42_000), "up to about 42.0K tokens"],
])("says %j as tokens: %s", (amount, words) => {
  expect(tokensInWords(amount)).toBe(words);
});

it("gives money, else tokens, else unknown", () => {
  expect(spentInWords({ costUsd: recorded(1), tokens: recorded(5) })).toBe("$1.00");
  expect(spentInWords({ costUsd: null, tokens: recorded(5) })).toBe("5 tokens");
  expect(spentInWords({ costUsd: null, tokens: null })).toBe("unknown");
});

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
