import { describe, expect, it } from "vitest";
import { latestOf, newOutcome } from "./known-outcome.ts";

describe("latestOf", () => {
  it("is the latest by its call, in whatever order the results came", () => {
    const state = { turn: 0, compaction: 0 };
    const [one, two, three] = [4, 9, 6].map((index) =>
      newOutcome(`${index}`, { index, round: index, at: undefined, length: 9, failure: undefined }, state, false),
    );

    expect(latestOf([one!, two!, three!])).toBe(two);
    expect(latestOf([])).toBeUndefined();
    expect(latestOf(undefined)).toBeUndefined();
  });
});
