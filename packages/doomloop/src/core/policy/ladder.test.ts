import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import type { Finding } from "../detectors/index.ts";
import { createLadder, type Ladder, type LadderOptions, type SavedLadder, type Standing } from "./ladder.ts";
import type { Rung } from "./rungs.ts";

const STEPS: readonly Rung[] = ["nudge", "nudge", "block", "stop"];

const finding = (loop = "a", steps: readonly number[] = [0, 1, 2]): Finding => ({
  kind: "repeated-call",
  loop,
  steps,
  count: 3,
  confidence: 1,
  tools: ["read_file"],
  evidence: { outcome: "exact", isFuzzy: false, isWaiting: false, isFailing: false },
});

/** Where a run stands in a round, by default with nothing changed or learned since the first. */
const at = (round: number, more: Partial<Standing> = {}): Standing => ({
  occasion: round,
  round,
  turn: 0,
  calls: round,
  novelty: 0,
  ...more,
});

const ladderOf = (rungs: readonly Rung[] = STEPS, more: Partial<LadderOptions> = {}, saved?: SavedLadder) =>
  createLadder(
    { rungs, scope: "loop", descends: true, counts: undefined, hasChangedSince: () => false, ...more },
    saved,
  );
const climb = (ladder: Ladder, rounds: number, loop = "a", first = 1) =>
  Array.from({ length: rounds }, (_, round) => ladder.answer(finding(loop), ["x"], at(first + round))?.rung);

describe("a ladder", () => {
  it("climbs rung by rung and holds at the top, never silent", () => {
    expect(climb(ladderOf(), 7)).toEqual(["nudge", "nudge", "block", "stop", "stop", "stop", "stop"]);
  });

  it("answers once on each occasion", () => {
    const ladder = ladderOf();

    expect(ladder.answer(finding(), [], at(1))?.rung).toBe("nudge");
    expect(ladder.answer(finding(), [], at(1))).toBeUndefined();
    expect(ladder.answer(finding(), [], at(2))?.tone).toBe("last");
  });

  it.each<[Rung[], string[]]>([
    [
      ["nudge", "nudge", "nudge", "block"],
      ["notice", "warning", "last"],
    ],
    [
      ["nudge", "nudge", "block", "stop"],
      ["notice", "last"],
    ],
    [["nudge", "block", "stop"], ["last"]],
    [["nudge"], ["notice", "notice"]],
  ])("words the nudges of %j as %j", (rungs, tones) => {
    const ladder = ladderOf(rungs);

    expect(tones.map((_, round) => ladder.answer(finding(), [], at(round + 1))?.tone)).toEqual(tones);
  });

  it("never calls a nudge the last where nothing but nudges follows", () => {
    const ladder = ladderOf(["nudge", "nudge"]);

    expect([1, 2, 3].map((round) => ladder.answer(finding(), [], at(round))?.tone)).not.toContain("last");
  });

  it("says what follows, and nothing at the top", () => {
    const ladder = ladderOf();

    expect([1, 2, 3, 4, 5].map((round) => ladder.answer(finding(), [], at(round))?.next)).toEqual([
      "nudge",
      "block",
      "stop",
      undefined,
      undefined,
    ]);
  });

  it("lets each loop climb by itself", () => {
    const ladder = ladderOf();

    expect(climb(ladder, 3, "a")).toEqual(["nudge", "nudge", "block"]);
    expect(climb(ladder, 2, "b", 4)).toEqual(["nudge", "nudge"]);
    expect(climb(ladder, 1, "a", 6)).toEqual(["stop"]);
  });

  it("lets all loops climb one ladder if asked to", () => {
    const ladder = ladderOf(STEPS, { scope: "run" });

    expect(climb(ladder, 2, "a")).toEqual(["nudge", "nudge"]);
    expect(climb(ladder, 2, "b", 3)).toEqual(["block", "stop"]);
  });

  it("knows a loop that it has answered", () => {
    const ladder = ladderOf();
    climb(ladder, 1, "a");

    expect([ladder.has("a"), ladder.has("b")]).toEqual([true, false]);
  });

  it.each<[string, Partial<LadderOptions>, Partial<Standing>, Rung]>([
    ["a change of the world takes one rung back", { hasChangedSince: (calls) => calls === 2 }, {}, "nudge"],
    ["a change before the last answer takes none back", { hasChangedSince: (calls) => calls < 1 }, {}, "block"],
    ["three new steps take one rung back", {}, { novelty: 3 }, "nudge"],
    ["two new steps take none back", {}, { novelty: 2 }, "block"],
    ["a word of the user takes all back", {}, { turn: 1 }, "nudge"],
    [
      "nothing takes a rung back if asked so",
      { descends: false, hasChangedSince: () => true },
      { novelty: 9, turn: 1 },
      "block",
    ],
  ])("goes down: %s", (_what, options, more, rung) => {
    const still = climb(ladderOf(), 2);
    const ladder = ladderOf(STEPS, options);
    for (const round of [1, 2]) ladder.answer(finding(), [], at(round));

    expect(still).toEqual(["nudge", "nudge"]);
    expect(ladder.answer(finding(), [], at(3, more))?.rung).toBe(rung);
  });

  it("goes down to the first notice at a word of the user, and no further at anything", () => {
    const ladder = ladderOf();
    climb(ladder, 4);

    expect(ladder.answer(finding(), [], at(5, { turn: 1 }))).toMatchObject({ rung: "nudge", tone: "notice" });
    expect(ladder.answer(finding(), [], at(6, { turn: 1, novelty: 99 }))).toMatchObject({
      rung: "nudge",
      tone: "notice",
    });
  });

  it("goes on from where it went down to", () => {
    const ladder = ladderOf();
    climb(ladder, 2);
    ladder.answer(finding(), [], at(3, { novelty: 3 }));

    expect(ladder.answer(finding(), [], at(4, { novelty: 3 }))?.rung).toBe("block");
  });

  it("goes by the finding's count instead, if asked to", () => {
    const ladder = ladderOf(["nudge", "block", "stop"], { counts: [3, 5, 8] });
    const rungs = [3, 4, 5, 7, 8, 12, 3].map(
      (count, round) => ladder.answer({ ...finding(), count }, [], at(round + 1))?.rung,
    );

    expect(rungs).toEqual(["nudge", "nudge", "block", "block", "stop", "stop", "nudge"]);
  });

  it("never gives a milder answer unless something changed, and is never silent on a new occasion", () => {
    const rungs = fc.array(fc.constantFrom<Rung>("nudge", "block", "restart", "stop"), { minLength: 1, maxLength: 5 });
    const order: readonly Rung[] = ["nudge", "block", "restart", "stop"];
    const property = fc.property(rungs, fc.integer({ min: 1, max: 8 }), (list, rounds) => {
      const sorted = list.sort((one, other) => order.indexOf(one) - order.indexOf(other));
      const given = climb(ladderOf(sorted), rounds);

      expect(given).toEqual(Array.from({ length: rounds }, (_, round) => sorted[Math.min(round, sorted.length - 1)]));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("what a ladder foresees", () => {
  it("answers a call that would go on with a loop whose nudges are used up, before it runs", () => {
    const ladder = ladderOf();
    climb(ladder, 2);

    expect(ladder.foresee("x", undefined, at(3))).toMatchObject({
      answer: { rung: "block", next: "stop" },
      finding: { loop: "a", count: 4 },
    });
    expect(ladder.foresee("x", undefined, at(4))).toMatchObject({ answer: { rung: "stop" }, finding: { count: 5 } });
  });

  it("counts a cycle once a lap, not once a call", () => {
    const ladder = ladderOf(["nudge", "block"]);
    const cycle = { ...finding(), kind: "call-cycle", period: 3, count: 4 } as Finding;
    ladder.answer(cycle, ["x", "y", "z"], at(1));
    const counts = ["y", "z", "x", "y", "z", "x"].map(
      (call, round) => ladder.foresee(call, undefined, at(round + 2))?.finding.count,
    );

    expect(counts).toEqual([4, 4, 5, 5, 5, 6]);
  });

  it("knows a call by what it is in substance too", () => {
    const ladder = ladderOf();
    climb(ladder, 2);

    expect(ladder.foresee("y", "x", at(3))?.answer.rung).toBe("block");
  });

  it.each<[string, number, string, Standing]>([
    ["while nudges are left", 1, "x", at(2)],
    ["of another call", 2, "y", at(3)],
    ["on an occasion that was answered", 2, "x", at(2)],
    ["after new steps that take the rung back", 2, "x", at(3, { novelty: 3 })],
    ["after a word of the user", 3, "x", at(4, { turn: 1 })],
  ])("says nothing %s", (_when, rounds, call, standing) => {
    const ladder = ladderOf();
    climb(ladder, rounds);

    expect(ladder.foresee(call, undefined, standing)).toBeUndefined();
  });
});

describe("what a ladder counts", () => {
  it("takes a nudge for ignored if the loop goes on", () => {
    const ladder = ladderOf();
    climb(ladder, 3);

    expect([ladder.obeyed(), ladder.ignored()]).toEqual([0, 2]);
  });

  it("takes a nudge for obeyed, once, if the loop has not shown for five rounds", () => {
    const ladder = ladderOf();
    climb(ladder, 1);
    ladder.settle(5);
    expect(ladder.obeyed()).toBe(0);
    ladder.settle(6);
    ladder.settle(20);

    expect([ladder.obeyed(), ladder.ignored()]).toEqual([1, 0]);
  });

  it("takes nothing for ignored that the user took back", () => {
    const ladder = ladderOf();
    climb(ladder, 1);
    ladder.answer(finding(), [], at(2, { turn: 1 }));

    expect(ladder.ignored()).toBe(0);
  });

  it("keeps its counts when it forgets the loops", () => {
    const ladder = ladderOf();
    climb(ladder, 3);
    ladder.clear();

    expect([ladder.has("a"), ladder.ignored()]).toEqual([false, 2]);
    expect(climb(ladder, 1)).toEqual(["nudge"]);
  });
});

describe("a ladder whose run starts over", () => {
  it("foresees nothing, but goes on where it was when the loop shows again, whatever the run had counted before", () => {
    const ladder = ladderOf();
    for (const round of [1, 2]) ladder.answer(finding(), ["x"], at(round, { turn: 4, calls: 90, novelty: 60 }));
    ladder.startOver();

    expect(ladder.foresee("x", undefined, at(1))).toBeUndefined();
    expect(ladder.answer(finding(), ["x"], at(2))?.rung).toBe("block");
  });
});

describe("a ladder at rest", () => {
  it("goes on where it was", () => {
    const ladder = ladderOf();
    climb(ladder, 2);
    const restored = ladderOf(STEPS, {}, JSON.parse(JSON.stringify(ladder.save())));

    expect(restored.foresee("x", undefined, at(3))?.answer.rung).toBe("block");
    expect(restored.ignored()).toBe(2);
    expect(ladder.ignored()).toBe(1);
  });

  it("has a ceiling, whatever it was told", () => {
    const ladder = ladderOf();
    const many = Array.from({ length: 99 }, (_, index) => index);
    const sizeAfter = (rounds: number): number => {
      for (const round of many.slice(0, rounds)) {
        ladder.answer(finding(`loop-${round + 100}`, many), many.map(String), at(round + 100));
      }
      return JSON.stringify(ladder.save()).length;
    };

    expect(sizeAfter(99)).toBe(sizeAfter(40));
    expect(ladder.has("loop-139")).toBe(true);
  });
});

describe("createLadder", () => {
  it.each([
    [[], "ladder: at least one rung is required, got none"],
    [null, "ladder: at least one rung is required, got none"],
    [["nudge", "shout"], "ladder: one of nudge, block, restart, stop is required, got shout"],
    [["block", "nudge"], "ladder: rungs that climb are required, got nudge after block"],
    [["nudge", "stop", "restart"], "ladder: rungs that climb are required, got restart after stop"],
  ])("refuses %j", (rungs, message) => {
    expect(() => ladderOf(rungs as Rung[])).toThrow(refusal(message));
  });

  it.each([[[3, 5]], [[3, 5, 5, 8]], [[0, 1, 2, 3]], [[1, 2, 3, 4.5]]])(
    "refuses the counts %j for four rungs",
    (counts) => {
      const message = `ladderCounts: 4 rising integers are required, got ${counts.join(", ")}`;

      expect(() => ladderOf(STEPS, { counts })).toThrow(refusal(message));
    },
  );
});
