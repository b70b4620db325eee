import { expect, it } from "vitest";
import { foldDecisions, foldedInWords } from "./fold-decisions.ts";

const told = (...decisions: readonly (readonly [call: number, action: "nudge" | "block" | "stop"])[]) =>
  foldDecisions(decisions.map(([call, action]) => ({ call, action }))).map((folded) => foldedInWords(folded));

it("folds refusals in a row, and nothing else", () => {
  expect(told([6, "nudge"], [8, "nudge"], [11, "block"], [12, "block"], [13, "block"], [14, "stop"])).toEqual([
    "would have nudged at call 6",
    "would have nudged at call 8",
    "would have refused calls 11 to 13",
    "would have stopped at call 14",
  ]);
});

it("says how many calls were refused if some got through", () => {
  expect(told([11, "block"], [12, "block"], [14, "block"])).toEqual([
    "would have refused 3 of the 4 calls from 11 to 14",
  ]);
  expect(told([11, "block"], [13, "nudge"], [14, "block"])).toHaveLength(3);
});
