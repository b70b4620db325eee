import { describe, expect, it } from "vitest";
import { formatSpent } from "./format-spent.ts";
import { formatTokens } from "./format-tokens.ts";

const amount = (low: number, high = low, isEstimated = false) => ({ low, high, isEstimated });

describe("tokens", () => {
  it.each([
    [amount(12_345), "12,345 tokens"],
    [amount(1), "1 token"],
    [amount(12_345, 12_345, true), "about 12,000 tokens"],
    [amount(12_345, 19_876, true), "about 12,000 to 20,000 tokens"],
    [amount(1_234_567), "1.2 million tokens"],
    [amount(0, 900), "up to 900 tokens"],
    [amount(0), "no tokens"],
  ])("%o are %s", (value, words) => {
    expect(formatTokens(value)).toBe(words);
  });
});

describe("what was spent", () => {
  it("is money where there is a price", () => {
    expect(formatSpent({ costUsd: amount(2), tokens: amount(5) })).toBe("$2.00");
  });

  it("is tokens where there is none", () => {
    expect(formatSpent({ costUsd: null, tokens: amount(5) })).toBe("5 tokens");
  });

  it("is unknown, not nothing, where neither is recorded", () => {
    expect(formatSpent({ costUsd: null, tokens: null })).toBe("unknown");
  });
});
