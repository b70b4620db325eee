import { describe, expect, it } from "vitest";
import { readingGrade, wordsIn } from "./reading-grade.ts";

describe("wordsIn", () => {
  it("takes a name between backquotes for one word, and no number of a list", () => {
    expect(wordsIn("1. Call `rm -rf x` now")).toEqual(["Call", "name", "now"]);
  });
});

describe("readingGrade", () => {
  it.each([
    ["The cat sat on the mat.", -2, 0],
    ["You called the tool three times. Use the result that you have.", 0, 3],
    [
      "Notwithstanding considerable preliminary investigation, the organisation subsequently reconsidered its fundamental methodological presuppositions.",
      15,
      60,
    ],
  ])("of %j lies between %d and %d", (text, lowest, highest) => {
    expect(readingGrade(text)).toBeGreaterThan(lowest);
    expect(readingGrade(text)).toBeLessThan(highest);
  });
});
