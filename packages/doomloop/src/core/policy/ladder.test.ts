import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import { pack, unpack } from "../collections/pack.ts";
import type { Finding } from "../detectors/index.ts";
import type { Standing } from "./climb.ts";
import {
  createLadder,
  createLadderState,
  type Ladder,
  type LadderOptions,
  type LadderState,
  type ProgressTeller,
} from "./ladder.ts";
import type { Rung } from "./rungs.ts";

const STEPS: readonly Rung[] = ["nudge", "nudge", "block", "stop"];

const finding = (loop = "a", steps: readonly number[] = [0, 1, 2]): Finding => ({
  kind: "repeated-call",
  loop,
  steps,
  count: 3,
  confidence: 1,
  isCertain: true,
  tools: ["read_file"],
  evidence: { outcome: "exact", isFuzzy: false, isWaiting: false, isFailing: false, isBusy: false, uncounted: [] },
});
const guess = (loop = "a"): Finding => ({ ...finding(loop), isCertain: false });

/** Where a run stands in a round, by default with nothing changed or learned since the first. */
const at = (round: number, more: Partial<Standing> = {}): Standing => ({
  occasion: round,
  round,
  turn: 0,
  calls: round,
  ...more,
});

/** A ladder's options, and whether there was progress. */
type Given = Partial<LadderOptions> & { hasProgressedSince?: ProgressTeller };
const ladderOf = (rungs: readonly Rung[] = STEPS, given: Given = {}, state = createLadderState()) => {
  const { hasProgressedSince = () => false, ...more } = given;
  const base = { rungs, scope: "loop", descends: true, counts: undefined, beyondNudge: "certain" } as const;
  return createLadder({ ...base, ...more }, hasProgressedSince, state);
};
/** Answers to a loop in so many rounds; the call "x" goes on with the first loop, other calls with others. */
const climb = (ladder: Ladder, rounds: number, found = finding(), first = 1) =>
  Array.from({ length: rounds }, (_, round) => ladder.answer(found, membersOf(found), at(first + round))?.rung);
const membersOf = ({ loop }: Finding) => (loop === "a" ? ["x"] : [`of ${loop}`]);

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

    expect(climb(ladder, 3)).toEqual(["nudge", "nudge", "block"]);
    expect(climb(ladder, 2, finding("b"), 4)).toEqual(["nudge", "nudge"]);
    expect(climb(ladder, 1, finding("a"), 6)).toEqual(["stop"]);
  });

  it("lets a loop that shares a call with another go on where that one stands: it is the same by another name", () => {
    const ladder = ladderOf();
    climb(ladder, 2);

    expect(ladder.answer(finding("b"), ["y", "x"], at(3))?.rung).toBe("block");
    expect(ladder.answer(finding("c"), ["z"], at(4))?.rung).toBe("nudge");
  });

  it.each<[string, Given, Partial<Standing>]>([
    ["progress", { hasProgressedSince: ({ calls }) => calls === 2 }, {}],
    ["a word of the user", {}, { turn: 1 }],
  ])("lets a loop that shares a call with another begin anew after %s, as that one would", (_what, options, more) => {
    const ladder = ladderOf(STEPS, options);
    climb(ladder, 2);

    expect(ladder.answer(finding("b"), ["x"], at(9, more))?.rung).toBe("nudge");
  });

  it("lets all loops climb one ladder if asked to", () => {
    const ladder = ladderOf(STEPS, { scope: "run" });

    expect(climb(ladder, 2)).toEqual(["nudge", "nudge"]);
    expect(climb(ladder, 2, finding("b"), 3)).toEqual(["block", "stop"]);
  });

  it("knows a loop that it has answered", () => {
    const ladder = ladderOf();
    climb(ladder, 1);

    expect([ladder.has("a"), ladder.has("b")]).toEqual([true, false]);
  });

  it.each<[string, Given, Partial<Standing>, Rung]>([
    ["progress since the last answer takes all back", { hasProgressedSince: ({ calls }) => calls === 2 }, {}, "nudge"],
    ["progress before the last answer takes none back", { hasProgressedSince: ({ calls }) => calls < 1 }, {}, "block"],
    ["a word of the user takes all back", {}, { turn: 1 }, "nudge"],
    [
      "nothing takes a rung back if asked so",
      { descends: false, hasProgressedSince: () => true },
      { turn: 1 },
      "block",
    ],
  ])("goes down: %s", (_what, options, more, rung) => {
    const still = climb(ladderOf(), 2);
    const ladder = ladderOf(STEPS, options);
    for (const round of [1, 2]) ladder.answer(finding(), [], at(round));

    expect(still).toEqual(["nudge", "nudge"]);
    expect(ladder.answer(finding(), [], at(3, more))?.rung).toBe(rung);
  });

  it("goes down to the first notice at a word of the user, and climbs on from there", () => {
    const ladder = ladderOf();
    climb(ladder, 4);

    expect(ladder.answer(finding(), [], at(5, { turn: 1 }))).toMatchObject({ rung: "nudge", tone: "notice" });
    expect(ladder.answer(finding(), [], at(6, { turn: 1 }))).toMatchObject({ rung: "nudge", tone: "last" });
    expect(ladder.answer(finding(), [], at(7, { turn: 1 }))).toMatchObject({ rung: "block" });
  });

  it("goes down to the first notice again and again, where every answer is followed by progress", () => {
    const ladder = ladderOf(STEPS, { hasProgressedSince: () => true });

    expect([1, 2, 3, 4, 5].map((round) => ladder.answer(finding(), [], at(round))?.tone)).toEqual(
      Array.from({ length: 5 }, () => "notice"),
    );
  });

  it("asks for progress since its last answer, not since its first", () => {
    const asked: number[] = [];
    const ladder = ladderOf(STEPS, { hasProgressedSince: ({ calls }) => asked.push(calls) < 0 });
    for (const round of [1, 2, 3]) ladder.answer(finding(), [], at(round, { calls: round * 10 }));

    expect(asked.slice(-2)).toEqual([10, 20]);
  });

  it("answers a loop that others confirm one rung higher, once", () => {
    const ladder = ladderOf();
    const answers = [1, 2, 3].map((round) => ladder.answer(finding(), [], at(round), true));

    expect(answers).toMatchObject([{ rung: "nudge", tone: "last" }, { rung: "block" }, { rung: "stop" }]);
  });

  it("answers it one rung higher each time where rungs go by counts", () => {
    const ladder = ladderOf(["nudge", "nudge", "block"], { counts: [3, 5, 8] });
    const rungs = [true, false].map(
      (isConfirmed, round) => ladder.answer(finding(), [], at(round + 1), isConfirmed)?.tone,
    );

    expect(rungs).toEqual(["last", "last"]);
  });

  it.each<Rung>(["restart", "stop"])("does not %s for what others confirm", (top) => {
    const ladder = ladderOf(["nudge", top]);

    expect(ladder.answer(finding(), [], at(1), true)).toMatchObject({ rung: "nudge" });
    expect(ladder.answer(finding(), [], at(2), true)?.rung).toBe(top);
  });

  it("knows the calls of a loop, and of no other where all climb one ladder", () => {
    const ladder = ladderOf(STEPS, { scope: "run" });
    expect(ladder.membersOf("a")).toEqual([]);
    ladder.answer(finding("a"), ["x"], at(1));
    expect([ladder.membersOf("a"), ladder.membersOf("b")]).toEqual([["x"], []]);
    ladder.answer(finding("b"), ["y"], at(2));

    expect([ladder.membersOf("a"), ladder.membersOf("b")]).toEqual([[], ["y"]]);
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

describe("a loop that is only probable", () => {
  it("is talked about, and nothing else", () => {
    const ladder = ladderOf();

    expect(new Set(climb(ladder, 12, guess()))).toEqual(new Set(["nudge"]));
    expect(ladder.answer(guess(), ["x"], at(13))).toMatchObject({ rung: "nudge", tone: "warning", next: undefined });
  });

  it("is refused and ended once a dozen words in a row were in vain", () => {
    expect(climb(ladderOf(), 16, guess()).slice(12)).toEqual(["nudge", "block", "stop", "stop"]);
  });

  it("begins to count the words in vain anew with progress", () => {
    let hasProgressed = false;
    const ladder = ladderOf(STEPS, { hasProgressedSince: () => hasProgressed });
    climb(ladder, 12, guess());
    hasProgressed = true;
    climb(ladder, 1, guess(), 13);
    hasProgressed = false;

    expect(new Set(climb(ladder, 12, guess(), 14))).toEqual(new Set(["nudge"]));
  });

  it("climbs on as soon as it is certain", () => {
    const ladder = ladderOf();
    climb(ladder, 5, guess());

    expect(climb(ladder, 2, finding(), 6)).toEqual(["block", "stop"]);
  });

  it("climbs like any other if asked so", () => {
    expect(climb(ladderOf(STEPS, { beyondNudge: "any" }), 4, guess())).toEqual(["nudge", "nudge", "block", "stop"]);
  });

  it("gets the first rung where none is a nudge", () => {
    expect(climb(ladderOf(["block", "stop"]), 3, guess())).toEqual(["block", "block", "block"]);
  });

  it("is never refused or ended within a dozen answers, whatever the ladder", () => {
    const rungs = fc.array(fc.constantFrom<Rung>("nudge", "block", "restart", "stop"), { minLength: 1, maxLength: 5 });
    const order: readonly Rung[] = ["nudge", "block", "restart", "stop"];
    const property = fc.property(rungs, (list) => {
      const sorted = (["nudge", ...list] as Rung[]).sort((one, other) => order.indexOf(one) - order.indexOf(other));

      expect(new Set(climb(ladderOf(sorted), 12, guess()))).toEqual(new Set(["nudge"]));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("what a ladder foresees", () => {
  const foreseen = (ladder: Ladder, call: string, round: number, more: Partial<Standing> = {}, isProven = false) =>
    ladder.foresee([call], at(round, more), isProven);

  it("answers a call that would go on with a loop whose nudges are used up, before it runs", () => {
    const ladder = ladderOf();
    climb(ladder, 2);

    expect(foreseen(ladder, "x", 3)).toMatchObject({
      answer: { rung: "block", next: "stop" },
      finding: { loop: "a", count: 3 },
    });
    expect(foreseen(ladder, "x", 4)).toMatchObject({ answer: { rung: "stop" } });
  });

  it("does not count what was refused in the finding: it was not done", () => {
    const ladder = ladderOf(["nudge", "block"]);
    climb(ladder, 1);

    expect([2, 3, 4].map((round) => foreseen(ladder, "x", round)?.finding.count)).toEqual([3, 3, 3]);
  });

  it("counts refused calls towards a rung that goes by counts", () => {
    const ladder = ladderOf(["nudge", "block", "stop"], { counts: [3, 4, 6] });
    climb(ladder, 1);

    expect([2, 3, 4].map((round) => foreseen(ladder, "x", round)?.answer.rung)).toEqual(["block", "block", "stop"]);
  });

  it("counts a cycle towards such a rung once a lap, not once a call", () => {
    const ladder = ladderOf(["block", "stop"], { counts: [4, 6] });
    const cycle = { ...finding(), kind: "call-cycle", period: 3, count: 4 } as Finding;
    ladder.answer(cycle, ["x", "y", "z"], at(1));
    const rungs = ["y", "z", "x", "y", "z", "x"].map((call, round) => foreseen(ladder, call, round + 2)?.answer.rung);

    expect(rungs).toEqual(["block", "block", "block", "block", "block", "stop"]);
  });

  it("answers the twins of a call in one round alike, and climbs once", () => {
    const ladder = ladderOf();
    climb(ladder, 2);
    const twins = [1, 2, 3].map(() => foreseen(ladder, "x", 3)?.answer.rung);

    expect(twins).toEqual(["block", "block", "block"]);
    expect(foreseen(ladder, "x", 4)?.answer.rung).toBe("stop");
  });

  it("knows a call by what it is in substance too", () => {
    const ladder = ladderOf();
    climb(ladder, 2);

    expect(ladder.foresee(["y", "x"], at(3), false)?.answer.rung).toBe("block");
  });

  it("refuses a call that is proven barren, though its loop is only probable", () => {
    const ladder = ladderOf();
    climb(ladder, 2, guess());

    expect(foreseen(ladder, "x", 3)).toBeUndefined();
    expect(foreseen(ladder, "x", 3, {}, true)?.answer.rung).toBe("block");
  });

  it("refuses no proven call while nudges are left", () => {
    const ladder = ladderOf();
    climb(ladder, 1, guess());

    expect(foreseen(ladder, "x", 2, {}, true)).toBeUndefined();
  });

  it.each<[string, number, string, Standing]>([
    ["while nudges are left", 1, "x", at(2)],
    ["of another call", 2, "y", at(3)],
    ["on an occasion that was answered", 2, "x", at(2)],
    ["after a word of the user", 3, "x", at(4, { turn: 1 })],
  ])("says nothing %s", (_when, rounds, call, standing) => {
    const ladder = ladderOf();
    climb(ladder, rounds);

    expect(ladder.foresee([call], standing, false)).toBeUndefined();
  });

  it("says nothing after progress, which takes the rungs back", () => {
    let hasProgressed = false;
    const ladder = ladderOf(STEPS, { hasProgressedSince: () => hasProgressed });
    climb(ladder, 2);
    hasProgressed = true;

    expect(foreseen(ladder, "x", 3)).toBeUndefined();
    expect(foreseen(ladder, "x", 3, {}, true)).toBeUndefined();
  });
});

describe("what a ladder counts", () => {
  /** What a ladder has counted when a case is over. */
  const counted = (tell: (ladder: Ladder, state: LadderState) => void) => {
    const state = createLadderState();
    tell(ladderOf(STEPS, {}, state), state);
    return { obeyed: state.obeyed, ignored: state.ignored };
  };

  it("takes a nudge for ignored if the loop goes on", () => {
    expect(counted((ladder) => climb(ladder, 3))).toEqual({ obeyed: 0, ignored: 2 });
  });

  it("takes a nudge for obeyed, once, if the loop has not shown for five rounds", () => {
    const settled = (...rounds: number[]) =>
      counted((ladder) => {
        climb(ladder, 1);
        for (const round of rounds) ladder.settle(round);
      });

    expect(settled(5)).toEqual({ obeyed: 0, ignored: 0 });
    expect(settled(5, 6, 20)).toEqual({ obeyed: 1, ignored: 0 });
  });

  it("takes nothing for ignored that the user took back", () => {
    const { ignored } = counted((ladder) => {
      climb(ladder, 1);
      ladder.answer(finding(), [], at(2, { turn: 1 }));
    });

    expect(ignored).toBe(0);
  });

  it("keeps its counts when the loops are forgotten", () => {
    const { ignored } = counted((ladder, { climbs }) => {
      climb(ladder, 3);
      climbs.clear();

      expect(ladder.has("a")).toBe(false);
      expect(climb(ladder, 1)).toEqual(["nudge"]);
    });

    expect(ignored).toBe(2);
  });
});

describe("a ladder whose run starts over", () => {
  it("foresees nothing, but goes on where it was when the loop shows again, whatever the run had counted before", () => {
    const ladder = ladderOf();
    for (const round of [1, 2]) ladder.answer(finding(), ["x"], at(round, { turn: 4, calls: 90 }));
    ladder.startOver();

    expect(ladder.foresee(["x"], at(1), true)).toBeUndefined();
    expect(ladder.answer(finding(), ["x"], at(2))?.rung).toBe("block");
  });
});

describe("a ladder at rest", () => {
  const saved = (state: LadderState) => unpack(JSON.parse(JSON.stringify(pack(state)))) as LadderState;

  it("goes on where it was", () => {
    const state = createLadderState();
    climb(ladderOf(STEPS, {}, state), 2);
    const copy = saved(state);

    expect(ladderOf(STEPS, {}, copy).foresee(["x"], at(3), false)?.answer.rung).toBe("block");
    expect(copy.ignored).toBe(2);
    expect(state.ignored).toBe(1);
  });

  it("remembers how many words were in vain", () => {
    const state = createLadderState();
    climb(ladderOf(STEPS, {}, state), 13, guess());

    expect(climb(ladderOf(STEPS, {}, saved(state)), 2, guess(), 14)).toEqual(["block", "stop"]);
  });

  it("has a ceiling, whatever it was told", () => {
    const state = createLadderState();
    const ladder = ladderOf(STEPS, {}, state);
    const many = Array.from({ length: 99 }, (_, index) => index);
    const sizeAfter = (rounds: number): number => {
      for (const round of many.slice(0, rounds)) {
        ladder.answer(finding(`loop-${round + 100}`, many), many.map(String), at(round + 100));
      }
      return JSON.stringify(pack(state)).length;
    };

    expect(sizeAfter(99)).toBe(sizeAfter(40));
    expect(ladder.has("loop-139")).toBe(true);
    expect(state.climbs.size).toBe(12);
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
