import { expect, it } from "vitest";
import { moneyInWords, shortNumber, spentInWords, tokensInWords } from "./amounts.ts";

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
