import { describe, expect, it } from "vitest";
import { durationInWords } from "./duration.ts";

describe("a time that is left", () => {
  it.each([
    [-5, "0 s"],
    [1, "1 s"],
    [58_000, "58 s"],
    [59_001, "1 min"],
    [250_000, "4 min 10 s"],
    [300_000, "5 min"],
    [7_200_000, "120 min"],
  ])("is told to the second: %i ms", (durationMs, words) => {
    expect(durationInWords(durationMs)).toBe(words);
  });
});
