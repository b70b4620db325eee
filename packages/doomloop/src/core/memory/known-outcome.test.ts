import { describe, expect, it } from "vitest";
import { newOutcome, passOver, type Sighting, startOver } from "./known-outcome.ts";

const sighting = (index: number): Sighting => ({
  index,
  round: index,
  turn: 0,
  compaction: 0,
  isFailing: false,
  length: 9,
  at: undefined,
});

describe("a known outcome", () => {
  it("is as much alike as what counting begins anew with", () => {
    const known = newOutcome("an outcome", sighting(0));
    startOver(known, sighting(5), "similar");

    expect(known).toMatchObject({ strength: "similar", count: 1, indices: [5], rounds: [5] });
  });

  it("has come in the round of an occurrence that was passed over", () => {
    const known = newOutcome("an outcome", sighting(0));
    passOver(known, { step: 3, reason: "news-in-lap" }, 3);
    passOver(known, { step: 4, reason: "same-round" }, 3);

    expect(known.rounds).toEqual([0, 3]);
    expect(known.passed.map(({ reason }) => reason)).toEqual(["news-in-lap", "same-round"]);
  });
});
