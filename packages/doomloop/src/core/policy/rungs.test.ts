import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import type { RunPosition } from "../run-position.ts";
import type { Climb } from "./climb.ts";
import { checkPace, isDue, type LadderPace, lastingOf, nextWords, type Series, wordsIn } from "./rungs.ts";

const STOP = { rounds: 16, ms: 60_000 };
const PACE: LadderPace = { block: { rounds: 8, ms: 20_000 }, restart: STOP, stop: STOP };

/** A loop that has shown in so many rounds since the first words, which were said at a time. */
const climbing = (shown: number, at: number | undefined, raise?: Climb["raise"]): Climb =>
  ({ shown, first: { at, calls: 3 }, raise }) as Climb;

describe("isDue", () => {
  it.each<[string, number, number | undefined, number | undefined, boolean]>([
    ["the rounds and the time have passed", 8, 0, 20_000, true],
    ["a round is missing", 7, 0, 90_000, false],
    ["a millisecond is missing", 8, 0, 19_999, false],
    ["the time is missing in the last round in which it matters", 31, 0, 10, false],
    ["four times the rounds have passed, whatever the time", 32, 0, 10, true],
    ["the clock went backwards", 8, 90_000, 20_000, false],
    ["nobody has a clock, and the rounds have passed", 8, undefined, undefined, false],
    ["nobody has a clock, and a quarter more has passed", 10, undefined, undefined, true],
    ["the first words had no time, and a quarter more has passed", 10, undefined, 5, true],
    ["the clock has stopped since, and the rounds have passed", 9, 0, undefined, false],
  ])("where %s: %d rounds, from %j to %j ms", (_what, shown, first, at, expected) => {
    expect(isDue(PACE, "block", climbing(shown, first), at)).toBe(expected);
  });

  it("goes by the rung that is asked for", () => {
    const after = (shown: number) =>
      (["block", "restart", "stop"] as const).map((rung) => isDue(PACE, rung, climbing(shown, 0), 60_000));

    expect([after(7), after(15), after(16)]).toEqual([
      [false, false, false],
      [true, false, false],
      [true, true, true],
    ]);
  });

  it.each(["due", "given"] as const)(
    "needs half of the rounds where others confirm the loop (%s), and all of the time",
    (raise) => {
      expect(isDue(PACE, "block", climbing(4, 0, raise), 20_000)).toBe(true);
      expect(isDue(PACE, "block", climbing(3, 0, raise), 20_000)).toBe(false);
      expect(isDue(PACE, "block", climbing(4, 0, raise), 19_999)).toBe(false);
      expect(isDue(PACE, "block", climbing(5, undefined, raise), undefined)).toBe(true);
    },
  );

  it("stays so once it is so, as rounds and time pass", () => {
    const property = fc.property(fc.nat(60), fc.nat(90_000), fc.nat(9), fc.nat(30_000), (shown, at, rounds, ms) => {
      if (isDue(PACE, "stop", climbing(shown, 0), at))
        expect(isDue(PACE, "stop", climbing(shown + rounds, 0), at + ms)).toBe(true);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("nextWords", () => {
  it("come at once, and then after twice as many rounds each time", () => {
    const rounds: number[] = [];
    for (let said: Series = { count: 0, round: 0 }; rounds.length < 6; ) {
      const round = nextWords(said);
      rounds.push(round);
      said = { count: said.count + 1, round };
    }

    expect(rounds).toEqual([0, 2, 6, 14, 30, 62]);
  });
});

describe("wordsIn", () => {
  /** A loop that was told so often, last in this round, at a second or so many a round. */
  const told = (said: Series, at: number | undefined = 0): Climb => ({ ...climbing(said.round, at), told: said });

  it.each<[string, Series, number, ReturnType<typeof wordsIn>]>([
    ["the first words", { count: 1, round: 0 }, 4_000, { rung: "nudge", tone: "notice", next: "nudge" }],
    ["words that others follow", { count: 2, round: 2 }, 4_000, { rung: "nudge", tone: "warning", next: "nudge" }],
    ["words before the rung is due", { count: 3, round: 6 }, 4_000, { rung: "nudge", tone: "last", next: "block" }],
    ["a quick run has more calls", { count: 3, round: 6 }, 100, { rung: "nudge", tone: "warning", next: "nudge" }],
    ["and its last words later", { count: 5, round: 30 }, 100, { rung: "nudge", tone: "last", next: "block" }],
  ])("are worded by what comes next: %s", (_what, said, roundMs, words) => {
    expect(wordsIn(told(said), "block", PACE, said.round * roundMs)).toEqual(words);
  });

  it("threaten without a clock by rounds alone", () => {
    expect(wordsIn(told({ count: 3, round: 6 }, undefined), "block", PACE, undefined)).toMatchObject({ tone: "last" });
  });

  it.each([1, 2, 9])("never threaten where words are all there is, said %d times", (count) => {
    const words = wordsIn(told({ count, round: 99 }), undefined, PACE, 0);

    expect(words).toMatchObject({ next: undefined });
    expect(words.tone).not.toBe("last");
  });
});

describe("lastingOf", () => {
  const now = (at: number | undefined): RunPosition => ({ occasion: 9, round: 9, turn: 0, calls: 12, at });

  it.each<[string, number | undefined, number | undefined, number | undefined]>([
    ["has calls and time", 1_000, 6_000, 5_000],
    ["has calls alone where the first words had no time", undefined, 6_000, undefined],
    ["has calls alone where there is no time now", 1_000, undefined, undefined],
  ])("%s", (_what, first, at, ms) => {
    expect(lastingOf({ at: first, calls: 3 }, now(at))).toEqual({ calls: 9, ms });
  });
});

describe("checkPace", () => {
  it.each([
    [false],
    [PACE],
    [{ ...PACE, block: { rounds: 1, ms: 0 } }],
    [{ ...PACE, block: { rounds: 2.5, ms: 0.5 } }],
  ])("takes %j", (pace) => {
    expect(() => checkPace(pace)).not.toThrow();
  });

  it.each<[unknown, string]>([
    [{}, "block.rounds of at least 1 and block.ms of at least 0 are required, got undefined and undefined"],
    [null, "block.rounds … got undefined and undefined"],
    [true, "block.rounds … got undefined and undefined"],
    ["fast", "block.rounds … got undefined and undefined"],
    [{ ...PACE, block: null }, "block.rounds … got undefined and undefined"],
    [{ ...PACE, block: { rounds: 0, ms: 0 } }, "block.rounds … got 0 and 0"],
    [{ ...PACE, block: { rounds: 3, ms: -1 } }, "block.rounds … got 3 and -1"],
    [{ ...PACE, block: { rounds: Number.NaN, ms: 0 } }, "block.rounds … got NaN and 0"],
    [{ ...PACE, block: { rounds: "7", ms: 0 } }, "block.rounds … got 7 and 0"],
    [{ ...PACE, restart: { rounds: 3 } }, "restart.rounds … got 3 and undefined"],
    [{ ...PACE, stop: { rounds: 3, ms: Number.POSITIVE_INFINITY } }, "stop.rounds … got 3 and Infinity"],
  ])("refuses %j", (pace, message) => {
    expect(() => checkPace(pace)).toThrow(refusal(`ladderPace: ${message}`));
  });
});
