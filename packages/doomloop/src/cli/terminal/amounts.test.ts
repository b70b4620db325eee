import { expect, it } from "vitest";
import { money, moneyInWords, shortNumber, tokensInWords } from "./amounts.ts";

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

it("never shows money that was spent as nothing", () => {
  expect([0.0000001, 0.004, 0.01, 1234.5].map(money)).toEqual(["<$0.01", "<$0.01", "$0.01", "$1,235"]);
});

it("says a range as one, and an estimate as one", () => {
  expect(moneyInWords({ low: 0.2, high: 1.1, isEstimated: false })).toBe("$0.20 to $1.10");
  expect(tokensInWords({ low: 5, high: 5, isEstimated: true })).toBe("about 5 tokens");
});
