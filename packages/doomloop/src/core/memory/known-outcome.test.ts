import { describe, expect, it } from "vitest";
import { latestOf, newOutcome, passOver, type Sighting, startOver, waitOn } from "./known-outcome.ts";

const sighting = (index: number): Sighting => ({
  step: { index, round: index, at: undefined, length: 9, failure: undefined },
  state: { turn: 0, compaction: 0 },
});

describe("a known outcome", () => {
  it("is as much alike as what counting begins anew with", () => {
    const known = newOutcome("an outcome", sighting(0));
    startOver(known, sighting(5), "similar");

    expect(known).toMatchObject({ strength: "similar", count: 1, indices: [5], rounds: [5] });
  });

  it("is forgiven and waited for from the beginning where counting begins anew", () => {
    const known = {
      ...newOutcome("an outcome", sighting(0)),
      forgiven: 4,
      looks: 3,
      waitedMs: 5_000,
      isAfterAct: true,
    };
    startOver(known, sighting(5), "exact");

    expect(known).toMatchObject({ forgiven: 0, looks: 0, waitedMs: 0, first: 5, isAfterAct: undefined });
  });

  it("is waited for as long as the one before it was", () => {
    const before = { ...newOutcome("an outcome", sighting(2)), looks: 3, waitedMs: 5_000, lastPauseMs: 900 };
    const known = newOutcome("another", sighting(5));
    waitOn(known, before);

    expect(known).toMatchObject({ digest: "another", index: 5, looks: 3, waitedMs: 5_000, lastPauseMs: 900, first: 2 });
  });

  it("is the latest by its call, in whatever order the results came", () => {
    const [one, two, three] = [4, 9, 6].map((index) => newOutcome(`outcome ${index}`, sighting(index)));

    expect(latestOf([one!, two!, three!])).toBe(two);
    expect(latestOf([])).toBeUndefined();
    expect(latestOf(undefined)).toBeUndefined();
  });

  it("has come in the round of an occurrence that was passed over", () => {
    const known = newOutcome("an outcome", sighting(0));
    passOver(known, { step: 3, reason: "news-in-lap" }, 3);
    passOver(known, { step: 4, reason: "same-round" }, 3);

    expect(known.rounds).toEqual([0, 3]);
    expect(known.passed.map(({ reason }) => reason)).toEqual(["news-in-lap", "same-round"]);
  });
});
