import { describe, expect, it } from "vitest";
import { formatUsd } from "./format-usd.ts";

const amount = (low: number, high = low, isEstimated = false) => ({ low, high, isEstimated });

describe("money", () => {
  it.each([
    [amount(1.2), "$1.20"],
    [amount(1.2, 1.9), "$1.20 to $1.90"],
    [amount(1.2, 1.9, true), "about $1.20 to $1.90"],
    [amount(1.2, 1.2, true), "about $1.20"],
    [amount(1.201, 1.204), "$1.20"],
    [amount(0, 1.9), "up to $1.90"],
    [amount(0, 1.9, true), "up to about $1.90"],
    [amount(12_345.6), "$12,346"],
    [amount(0.004), "under $0.01"],
    [amount(0), "nothing"],
    [amount(Number.NaN), "nothing"],
  ])("%o is %s", (value, words) => {
    expect(formatUsd(value)).toBe(words);
  });

  it("is never $0, however little it is", () => {
    for (let high = 1; high > 1e-9; high /= 3)
      expect(formatUsd(amount(high / 7, high, true))).not.toMatch(/\$0(\.00)?\b(?!\.\d)/);
  });
});
