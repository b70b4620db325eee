import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import { pack, unpack } from "../collections/pack.ts";
import type { Finding } from "../detectors/index.ts";
import type { RunPosition } from "../run-position.ts";
import { createLadderState, type LadderState, type Shown } from "./climb.ts";
import { createLadder, type Ladder, type LadderOptions, type ProgressTeller } from "./ladder.ts";
import type { LadderAnswer, LadderPace, Rung } from "./rungs.ts";

const STEPS: readonly Rung[] = ["nudge", "nudge", "block", "stop"];
const ORDER: readonly Rung[] = ["nudge", "block", "restart", "stop"];
const STOP = { rounds: 8, ms: 30_000 };
const PACE: LadderPace = { block: { rounds: 4, ms: 10_000 }, restart: STOP, stop: STOP };

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
/** A loop that shows at a result; the call "x" goes on with the first loop, other calls with others. */
const shown = (found = finding(), more: Partial<Shown> = {}): Shown => ({
  finding: found,
  members: found.loop === "a" ? ["x"] : [`of ${found.loop}`],
  isAtCall: false,
  isConfirmed: false,
  isUntold: false,
  ...more,
});

/** Where a run stands in a round, by default with nothing changed or learned since the first, and without a clock. */
const at = (round: number, more: Partial<RunPosition> = {}): RunPosition => ({
  occasion: round,
  round,
  turn: 0,
  calls: round,
  at: undefined,
  ...more,
});

/** A ladder's options, and whether there was progress. */
type Given = Partial<LadderOptions> & { hasProgressedSince?: ProgressTeller };
const ladderOf = (rungs: readonly Rung[] = STEPS, given: Given = {}, state = createLadderState()) => {
  const { hasProgressedSince = () => false, ...more } = given;
  const base = {
    rungs,
    scope: "loop",
    descends: true,
    pace: PACE,
    counts: undefined,
    beyondNudge: "certain",
    endUncertainAfter: undefined,
  } as const;
  return createLadder({ ...base, ...more }, hasProgressedSince, state);
};
/** A ladder whose every answer climbs one rung. */
const eager = (rungs: readonly Rung[] = STEPS, given: Given = {}, state = createLadderState()) =>
  ladderOf(rungs, { pace: false, ...given }, state);

/** Answers to a loop that shows at the results of so many rounds. */
const climb = (ladder: Ladder, rounds: number, found = finding(), first = 1) =>
  Array.from({ length: rounds }, (_, round) => ladder.answer(shown(found), at(first + round))?.rung);

interface Going {
  readonly found?: Finding;
  readonly first?: number;
  /** From one round to the next. */
  readonly everyMs?: number | undefined;
}
/** Answers in so many rounds as a guard asks for them: before the call, and at its result if it was made. */
const go = (ladder: Ladder, rounds: number, { found = finding(), first = 1, everyMs }: Going = {}) =>
  Array.from({ length: rounds }, (_, index): LadderAnswer | undefined => {
    const round = first + index;
    const position = at(round, { at: everyMs === undefined ? undefined : round * everyMs });
    const foreseen = ladder.foresee(shown(found).members, position, found.isCertain);
    return foreseen?.answer ?? ladder.answer(shown(found), position);
  });
/** In which rounds each rung was given first, and all the rounds of words. */
const roundsOf = (answers: readonly (LadderAnswer | undefined)[]) => {
  const given = answers.map((answer) => answer?.rung);
  const first = (rung: Rung) => given.indexOf(rung);
  return {
    words: given.flatMap((rung, round) => (rung === "nudge" ? [round] : [])),
    block: first("block"),
    stop: first("stop"),
  };
};

describe("a ladder", () => {
  it.each<[string, number | undefined, { words: number[]; block: number; stop: number }]>([
    ["a clock that leaves it time", 5_000, { words: [0, 2], block: 4, stop: 8 }],
    ["a clock that is not far yet", 1_000, { words: [0, 2, 6], block: 10, stop: 30 }],
    ["ten calls a second", 100, { words: [0, 2, 6, 14], block: 16, stop: 32 }],
    ["no clock", undefined, { words: [0, 2], block: 5, stop: 10 }],
  ])("speaks at growing distances, refuses and ends later: %s", (_what, everyMs, expected) => {
    expect(roundsOf(go(ladderOf(), 40, { everyMs }))).toEqual(expected);
  });

  it("holds at the top, never silent", () => {
    expect(
      new Set(
        go(ladderOf(), 20)
          .slice(10)
          .map((answer) => answer?.rung),
      ),
    ).toEqual(new Set(["stop"]));
  });

  it("says what comes next, calls only the words before it the last, and says how long it has gone on", () => {
    const said = go(
      ladderOf(["nudge", "nudge", "nudge", "block"], { pace: { ...PACE, block: { rounds: 8, ms: 0 } } }),
      7,
      {
        everyMs: 2_000,
      },
    ).filter((answer) => answer !== undefined);

    expect(said).toEqual([
      { rung: "nudge", tone: "notice", next: "nudge" },
      { rung: "nudge", tone: "warning", next: "nudge", ignored: 1, lasting: { calls: 2, ms: 4_000 } },
      { rung: "nudge", tone: "last", next: "block", ignored: 2, lasting: { calls: 6, ms: 12_000 } },
    ]);
  });

  it("refuses nothing before all the words of its ladder were said, whatever the pace", () => {
    const hasty = { ...PACE, block: { rounds: 1, ms: 0 } };

    expect(roundsOf(go(ladderOf(["nudge", "nudge", "nudge", "block"], { pace: hasty }), 10))).toMatchObject({
      words: [0, 2, 6],
      block: 7,
    });
  });

  it("refuses only what has not run", () => {
    expect(climb(ladderOf(["nudge", "block"]), 8)).toEqual([
      "nudge",
      undefined,
      "nudge",
      undefined,
      undefined,
      undefined,
      "nudge",
      undefined,
    ]);
  });

  it("refuses at a call that is judged when it is made", () => {
    const ladder = ladderOf(["nudge", "block"]);
    const answers = [1, 2, 3, 4, 5, 6].map(
      (round) => ladder.answer(shown(finding(), { isAtCall: true }), at(round))?.rung,
    );

    expect(answers).toEqual(["nudge", undefined, "nudge", undefined, undefined, "block"]);
  });

  it("ends nothing that is certain and was not refused, however late it became certain", () => {
    expect(climb(ladderOf(), 40)).not.toContain("stop");
    expect(climb(ladderOf(["nudge", "stop"]), 11).at(-1)).toBe("stop");
  });

  it("starts the run over before it ends it, and ends it when the loop shows again", () => {
    const ladder = ladderOf(["nudge", "restart", "stop"]);

    expect(go(ladder, 11).at(-1)).toMatchObject({ rung: "restart", next: "stop" });
    ladder.startOver();
    expect(climb(ladder, 1)).toEqual(["stop"]);
  });

  it.each<[Rung[], (Rung | undefined)[]]>([
    [["stop"], ["stop", "stop"]],
    [
      ["restart", "stop"],
      ["restart", "stop"],
    ],
  ])("has nothing to wait for where no rung is words: %j", (rungs, expected) => {
    expect(climb(ladderOf(rungs), 2)).toEqual(expected);
  });

  it("needs half of the rounds for what others confirm", () => {
    const ladder = ladderOf();
    const rounds = [1, 2, 3, 4].map((round) => {
      const foreseen = ladder.foresee(["x"], at(round), true)?.answer;
      return (foreseen ?? ladder.answer(shown(finding(), { isConfirmed: true }), at(round)))?.rung;
    });

    expect(rounds).toEqual(["nudge", undefined, "nudge", "block"]);
  });

  it("starts again at a word of the user, with the first words", () => {
    const ladder = ladderOf();
    go(ladder, 8);

    expect(ladder.foresee(["x"], at(9, { turn: 1 }), true)).toBeUndefined();
    expect(ladder.answer(shown(), at(9, { turn: 1 }))).toEqual({ rung: "nudge", tone: "notice", next: "nudge" });
    expect(ladder.answer(shown(), at(10, { turn: 1 }))).toBeUndefined();
  });

  it("never gives a milder answer unless something changed, and no more words than the rounds allow", () => {
    const rungs = fc.array(fc.constantFrom<Rung>(...ORDER), { maxLength: 4 });
    const everyMs = fc.constantFrom(undefined, 10, 1_000, 20_000);
    const property = fc.property(rungs, everyMs, fc.integer({ min: 1, max: 60 }), (list, gap, rounds) => {
      const sorted = (["nudge", ...list] as Rung[]).sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));
      const answers = go(ladderOf(sorted), rounds, { everyMs: gap });
      const heights = answers.flatMap((answer) => (answer === undefined ? [] : [ORDER.indexOf(answer.rung)]));

      expect(heights).toEqual([...heights].sort((one, other) => one - other));
      expect(roundsOf(answers).words.length).toBeLessThanOrEqual(Math.log2(rounds + 1) + 1);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("a ladder without a pace", () => {
  it("climbs rung by rung and holds at the top, never silent", () => {
    expect(climb(eager(), 7)).toEqual(["nudge", "nudge", "block", "stop", "stop", "stop", "stop"]);
  });

  it("answers once on each occasion", () => {
    const ladder = eager();

    expect(ladder.answer(shown(), at(1))?.rung).toBe("nudge");
    expect(ladder.answer(shown(), at(1))).toBeUndefined();
    expect(ladder.answer(shown(), at(2))?.tone).toBe("last");
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
    [
      ["nudge", "nudge"],
      ["notice", "warning", "warning"],
    ],
  ])("words the nudges of %j as %j", (rungs, tones) => {
    const ladder = eager(rungs);

    expect(tones.map((_, round) => ladder.answer(shown(), at(round + 1))?.tone)).toEqual(tones);
  });

  it("says what follows, and nothing at the top", () => {
    const ladder = eager();

    expect([1, 2, 3, 4, 5].map((round) => ladder.answer(shown(), at(round))?.next)).toEqual([
      "nudge",
      "block",
      "stop",
      undefined,
      undefined,
    ]);
  });

  it("climbs on from the first notice after a word of the user", () => {
    const ladder = eager();
    climb(ladder, 4);

    expect([5, 6, 7].map((round) => ladder.answer(shown(), at(round, { turn: 1 })))).toMatchObject([
      { rung: "nudge", tone: "notice" },
      { rung: "nudge", tone: "last" },
      { rung: "block" },
    ]);
  });

  it("answers a loop that others confirm one rung higher, once", () => {
    const ladder = eager();
    const answers = [1, 2, 3].map((round) => ladder.answer(shown(finding(), { isConfirmed: true }), at(round)));

    expect(answers).toMatchObject([{ rung: "nudge", tone: "last" }, { rung: "block" }, { rung: "stop" }]);
  });

  it.each<Rung>(["restart", "stop"])("does not %s for what others confirm", (top) => {
    const ladder = eager(["nudge", top]);
    const rungs = [1, 2].map((round) => ladder.answer(shown(finding(), { isConfirmed: true }), at(round))?.rung);

    expect(rungs).toEqual(["nudge", top]);
  });

  it("climbs every ladder to its top, one rung in each round", () => {
    const rungs = fc.array(fc.constantFrom<Rung>(...ORDER), { minLength: 1, maxLength: 5 });
    const property = fc.property(rungs, fc.integer({ min: 1, max: 8 }), (list, rounds) => {
      const sorted = list.sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));
      const given = climb(eager(sorted), rounds);

      expect(given).toEqual(Array.from({ length: rounds }, (_, round) => sorted[Math.min(round, sorted.length - 1)]));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("a ladder that goes by counts", () => {
  it("goes by the finding's count, at once, whatever its pace", () => {
    const ladder = ladderOf(["nudge", "block", "stop"], { counts: [3, 5, 8] });
    const rungs = [3, 4, 5, 7, 8, 12, 3].map(
      (count, round) => ladder.answer(shown({ ...finding(), count }), at(round + 1))?.rung,
    );

    expect(rungs).toEqual(["nudge", "nudge", "block", "block", "stop", "stop", "nudge"]);
  });

  it("answers what others confirm one rung higher each time", () => {
    const ladder = ladderOf(["nudge", "nudge", "block"], { counts: [3, 5, 8] });
    const tones = [true, false].map(
      (isConfirmed, round) => ladder.answer(shown(finding(), { isConfirmed }), at(round + 1))?.tone,
    );

    expect(tones).toEqual(["last", "last"]);
  });

  it("counts refused calls", () => {
    const ladder = ladderOf(["nudge", "block", "stop"], { counts: [3, 4, 6] });
    climb(ladder, 1);

    expect([2, 3, 4].map((round) => ladder.foresee(["x"], at(round), false)?.answer.rung)).toEqual([
      "block",
      "block",
      "stop",
    ]);
  });

  it("counts the refused calls of a cycle once a lap, not once a call", () => {
    const ladder = ladderOf(["block", "stop"], { counts: [4, 6] });
    const cycle = { ...finding(), kind: "call-cycle", period: 3, count: 4 } as Finding;
    ladder.answer(shown(cycle, { members: ["x", "y", "z"] }), at(1));
    const rungs = ["y", "z", "x", "y", "z", "x"].map(
      (call, round) => ladder.foresee([call], at(round + 2), false)?.answer.rung,
    );

    expect(rungs).toEqual(["block", "block", "block", "block", "block", "stop"]);
  });
});

describe("the loops of a run", () => {
  it("climb each by itself, once something was learned or changed", () => {
    const ladder = ladderOf(STEPS, { hasProgressedSince: ({ calls }) => calls === 6 });

    expect(go(ladder, 6).at(-1)?.rung).toBe("block");
    expect(go(ladder, 3, { found: finding("b"), first: 7 }).map((answer) => answer?.rung)).toEqual([
      "nudge",
      undefined,
      "nudge",
    ]);
  });

  it("are one circle until then: many calls in turn are not told of one by one", () => {
    const ladder = ladderOf();
    const told = Array.from({ length: 5 }, (_, loop) =>
      ladder.answer(shown(finding(`${loop}`), { members: [`${loop}`] }), at(loop + 1)),
    );

    expect(told.map((answer) => answer?.rung)).toEqual(["nudge", undefined, "nudge", undefined, undefined]);
  });

  it("climb one ladder if asked to", () => {
    const ladder = ladderOf(STEPS, { scope: "run" });
    go(ladder, 5);

    expect(go(ladder, 1, { found: finding("b"), first: 6 })).toEqual([undefined]);
    expect(go(ladder, 1, { found: finding("b"), first: 7 })[0]?.rung).toBe("block");
  });

  it("go on where another stands that shares a call with them: they are the same by another name", () => {
    const ladder = ladderOf();
    climb(ladder, 2);

    expect(ladder.answer(shown(finding("b"), { members: ["y", "x"] }), at(3))).toMatchObject({ tone: "last" });
    expect(ladder.answer(shown({ ...finding("c"), isCertain: false }, { members: ["z"] }), at(4))).toMatchObject({
      tone: "notice",
    });
  });

  it.each<[string, Given, Partial<RunPosition>]>([
    ["progress", { hasProgressedSince: ({ calls }) => calls === 2 }, {}],
    ["a word of the user", {}, { turn: 1 }],
  ])("begin anew after %s, as that one would", (_what, options, more) => {
    const ladder = ladderOf(STEPS, options);
    climb(ladder, 2);

    expect(ladder.answer(shown(finding("b"), { members: ["x"] }), at(9, more))).toMatchObject({ tone: "notice" });
  });

  it("are known once they were answered", () => {
    const ladder = ladderOf();
    climb(ladder, 1);

    expect([ladder.has("a"), ladder.has("b")]).toEqual([true, false]);
  });

  it("have calls of their own, also where all climb one ladder", () => {
    const ladder = ladderOf(STEPS, { scope: "run" });
    expect(ladder.membersOf("a")).toEqual([]);
    ladder.answer(shown(finding("a"), { members: ["x"] }), at(1));
    expect([ladder.membersOf("a"), ladder.membersOf("b")]).toEqual([["x"], []]);
    ladder.answer(shown(finding("b"), { members: ["y"] }), at(2));

    expect([ladder.membersOf("a"), ladder.membersOf("b")]).toEqual([[], ["y"]]);
  });
});

describe("progress", () => {
  it.each<[string, Given, Partial<RunPosition>, string]>([
    ["since the loop last showed takes all back", { hasProgressedSince: ({ calls }) => calls === 2 }, {}, "notice"],
    ["before that takes nothing back", { hasProgressedSince: ({ calls }) => calls < 1 }, {}, "last"],
    ["is a word of the user, too", {}, { turn: 1 }, "notice"],
    ["takes nothing back if asked so", { descends: false, hasProgressedSince: () => true }, { turn: 1 }, "last"],
  ])("%s", (_what, options, more, tone) => {
    const ladder = ladderOf(STEPS, options);
    for (const round of [1, 2]) ladder.answer(shown(), at(round));

    expect(ladder.answer(shown(), at(3, more))?.tone).toBe(tone);
  });

  it("takes all back again and again, where it follows every answer", () => {
    const ladder = ladderOf(STEPS, { hasProgressedSince: () => true });

    expect([1, 2, 3, 4, 5].map((round) => ladder.answer(shown(), at(round))?.tone)).toEqual(
      Array.from({ length: 5 }, () => "notice"),
    );
  });

  it("is asked for since the loop last showed, also where nothing was said then", () => {
    const asked: number[] = [];
    const ladder = ladderOf(STEPS, { hasProgressedSince: ({ calls }) => asked.push(calls) < 0 });
    for (const round of [1, 2, 3]) ladder.answer(shown(), at(round, { calls: round * 10 }));

    expect(asked.slice(-2)).toEqual([10, 20]);
  });
});

describe("a loop that is only probable", () => {
  it("is told at growing distances, and nothing else", () => {
    const answers = go(ladderOf(), 40, { found: guess() });

    expect(roundsOf(answers)).toEqual({ words: [0, 2, 6, 14, 30], block: -1, stop: -1 });
    expect(answers[30]).toMatchObject({ tone: "warning", next: undefined, ignored: 4 });
  });

  it("shares its words with others that are only probable, until the user speaks", () => {
    const ladder = ladderOf();
    const said = [1, 2, 3, 4, 5, 6, 7].map((round) => ladder.answer(shown(guess(`loop ${round}`)), at(round))?.rung);

    expect(said).toEqual(["nudge", undefined, "nudge", undefined, undefined, undefined, "nudge"]);
    expect(ladder.answer(shown(guess("b")), at(8))).toBeUndefined();
    expect(ladder.answer(shown(guess("b")), at(9, { turn: 1 }))).toMatchObject({ tone: "notice" });
  });

  it("takes no words from one that is certain", () => {
    const ladder = ladderOf();
    ladder.answer(shown(guess("b")), at(1));

    expect(ladder.answer(shown(), at(2))).toMatchObject({ tone: "notice" });
  });

  it("is refused and ended once it has shown in so many rounds, if asked so", () => {
    const answers = go(ladderOf(STEPS, { endUncertainAfter: 12 }), 20, { found: guess() });

    expect(roundsOf(answers)).toEqual({ words: [0, 2, 6], block: -1, stop: 12 });
    expect(roundsOf(go(ladderOf(STEPS, { endUncertainAfter: 6 }), 20, { found: guess() }))).toMatchObject({
      block: 6,
      stop: 10,
    });
  });

  it("counts those rounds anew with progress", () => {
    let hasProgressed = false;
    const ladder = ladderOf(STEPS, { endUncertainAfter: 6, hasProgressedSince: () => hasProgressed });
    climb(ladder, 6, guess());
    hasProgressed = true;
    climb(ladder, 1, guess(), 7);
    hasProgressed = false;

    expect(roundsOf(go(ladder, 5, { found: guess(), first: 8 }))).toMatchObject({ block: -1, stop: -1 });
    expect(go(ladder, 2, { found: guess(), first: 13 }).map((answer) => answer?.rung)).toEqual(["nudge", "block"]);
  });

  it("is refused as soon as it is certain, and its pace allows", () => {
    const [early, late] = [ladderOf(), ladderOf()];
    go(early, 4, { found: guess() });
    go(late, 6, { found: guess() });

    expect(go(early, 2, { first: 5 }).map((answer) => answer?.rung)).toEqual([undefined, "block"]);
    expect(go(late, 1, { first: 7 })[0]?.rung).toBe("block");
  });

  it("climbs like any other if asked so", () => {
    const any = ladderOf(STEPS, { beyondNudge: "any" });

    expect(go(any, 12, { found: guess() })).toEqual(go(ladderOf(), 12));
  });

  it("gets the first rung where none is a nudge", () => {
    expect(climb(ladderOf(["block", "stop"]), 3, guess())).toEqual(["block", "block", "block"]);
  });

  it.each([PACE, false as const])("is never refused or ended, whatever the ladder (pace %j)", (pace) => {
    const rungs = fc.array(fc.constantFrom<Rung>(...ORDER), { minLength: 1, maxLength: 5 });
    const property = fc.property(rungs, (list) => {
      const sorted = (["nudge", ...list] as Rung[]).sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));
      const given = go(ladderOf(sorted, { pace }), 24, { found: guess() }).flatMap((answer) => answer?.rung ?? []);

      expect(new Set(given)).toEqual(new Set(["nudge"]));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("what a ladder foresees", () => {
  const foreseen = (ladder: Ladder, call: string, round: number, more: Partial<RunPosition> = {}, isProven = false) =>
    ladder.foresee([call], at(round, more), isProven);
  /** A ladder that has said all its words about a loop, in five rounds. */
  const told = (found = finding(), given: Given = {}) => {
    const ladder = ladderOf(STEPS, given);
    climb(ladder, 5, found);
    return ladder;
  };

  it("answers a call that would go on with a loop whose words are used up, before it runs", () => {
    const ladder = told();

    expect(foreseen(ladder, "x", 6)).toMatchObject({
      answer: { rung: "block", next: "stop", ignored: 2 },
      finding: { loop: "a", count: 3 },
    });
    expect([7, 8, 9, 10, 11].map((round) => foreseen(ladder, "x", round)?.answer.rung).at(-1)).toBe("stop");
  });

  it("does not count what was refused in the finding: it was not done", () => {
    const ladder = told();

    expect([6, 7, 8].map((round) => foreseen(ladder, "x", round)?.finding.count)).toEqual([3, 3, 3]);
  });

  it("answers the twins of a call in one round alike, and climbs once", () => {
    const ladder = eager();
    climb(ladder, 2);
    const twins = [1, 2, 3].map(() => foreseen(ladder, "x", 3)?.answer.rung);

    expect(twins).toEqual(["block", "block", "block"]);
    expect(foreseen(ladder, "x", 4)?.answer.rung).toBe("stop");
  });

  it("knows a call by what it is in substance too", () => {
    expect(told().foresee(["y", "x"], at(6), false)?.answer.rung).toBe("block");
  });

  it("refuses a call that is proven barren, though its loop is only probable", () => {
    const ladder = told(guess());

    expect(foreseen(ladder, "x", 6)).toBeUndefined();
    expect(foreseen(ladder, "x", 6, {}, true)?.answer.rung).toBe("block");
  });

  it("refuses no other call of such a loop for that, neither in the same round nor in a later one", () => {
    const ladder = ladderOf();
    const loop = shown(guess(), { members: ["x", "y"] });
    for (const round of [1, 2, 3, 4, 5]) ladder.answer(loop, at(round));

    expect(foreseen(ladder, "x", 6, {}, true)?.answer.rung).toBe("block");
    expect(foreseen(ladder, "y", 6)).toBeUndefined();
    ladder.answer(loop, at(8));
    expect(foreseen(ladder, "y", 8)).toBeUndefined();
  });

  it.each<[string, number, string, RunPosition]>([
    ["before a rung beyond words is due", 4, "x", at(5)],
    ["of another call", 5, "y", at(6)],
    ["on an occasion on which there were words", 7, "x", at(7)],
    ["after a word of the user", 5, "x", at(6, { turn: 1 })],
  ])("says nothing %s", (_when, rounds, call, position) => {
    const ladder = ladderOf();
    climb(ladder, rounds);

    expect(ladder.foresee([call], position, true)).toBeUndefined();
  });

  it("says nothing after progress, which takes the rungs back", () => {
    let hasProgressed = false;
    const ladder = told(finding(), { hasProgressedSince: () => hasProgressed });
    hasProgressed = true;

    expect(foreseen(ladder, "x", 6)).toBeUndefined();
    expect(foreseen(ladder, "x", 6, {}, true)).toBeUndefined();
  });
});

describe("what a ladder counts", () => {
  /** What a ladder has counted when a case is over. */
  const counted = (tell: (ladder: Ladder, state: LadderState) => void) => {
    const state = createLadderState();
    tell(eager(STEPS, {}, state), state);
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
      ladder.answer(shown(), at(2, { turn: 1 }));
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
    const ladder = eager();
    for (const round of [1, 2]) ladder.answer(shown(), at(round, { turn: 4, calls: 90 }));
    ladder.startOver();

    expect(ladder.foresee(["x"], at(1), true)).toBeUndefined();
    expect(ladder.answer(shown(), at(2))?.rung).toBe("block");
  });

  it("starts again with its words about what is only probable", () => {
    const ladder = ladderOf();
    go(ladder, 20, { found: guess() });
    ladder.startOver();

    expect(ladder.answer(shown(guess("b")), at(2))?.rung).toBe("nudge");
  });
});

describe("a ladder at rest", () => {
  const saved = (state: LadderState) => unpack(JSON.parse(JSON.stringify(pack(state)))) as LadderState;

  it("goes on where it was", () => {
    const state = createLadderState();
    climb(ladderOf(STEPS, {}, state), 5);
    const copy = saved(state);

    expect(ladderOf(STEPS, {}, copy).foresee(["x"], at(6), false)?.answer.rung).toBe("block");
    expect([copy.ignored, state.ignored]).toEqual([2, 1]);
  });

  it("remembers what was said about loops that are only probable", () => {
    const state = createLadderState();
    climb(ladderOf(STEPS, {}, state), 8, guess());

    expect(climb(ladderOf(STEPS, {}, saved(state)), 7, guess(), 9)).toEqual([
      ...Array.from({ length: 6 }, () => undefined),
      "nudge",
    ]);
  });

  it.each<[Rung[], Rung]>([
    [["nudge"], "nudge"],
    [["nudge", "block"], "block"],
    [["block"], "block"],
    [["stop"], "stop"],
  ])("gives an answer that the ladder %j has, though it was saved on a longer one", (rungs, top) => {
    for (const pace of [PACE, false as const]) {
      const state = createLadderState();
      go(ladderOf(["nudge", "nudge", "nudge", "block", "restart", "stop"], { pace }, state), 30);
      const ladder = ladderOf(rungs, { pace }, saved(state));
      const answers = [...go(ladder, 1, { first: 30 }), ...go(ladder, 60, { first: 31 })];

      expect(new Set(answers.flatMap((answer) => answer?.rung ?? []))).toEqual(new Set([top]));
    }
  });

  it("has a ceiling, whatever it was told", () => {
    const state = createLadderState();
    const ladder = ladderOf(STEPS, {}, state);
    const many = Array.from({ length: 99 }, (_, index) => index);
    const sizeAfter = (rounds: number): number => {
      for (const round of many.slice(0, rounds)) {
        const loop = shown(finding(`loop-${round + 100}`, many), { members: many.map(String) });
        ladder.answer(loop, at(round + 100));
      }
      return JSON.stringify(pack(state)).length;
    };

    const size = sizeAfter(99);
    expect(sizeAfter(40)).toBeLessThan(size * 1.01);
    expect(ladder.has("loop-139")).toBe(true);
    expect(state.climbs.size).toBe(12);
  });
});

describe("createLadder", () => {
  it.each([
    [[], "ladder: at least one rung is required, got none"],
    [null, "ladder: at least one rung is required, got none"],
    [["nudge", "shout"], "ladder: one of nudge, block, restart, stop is required, got shout"],
    [["block", "nudge"], "ladder: rising rungs are required, got nudge after block"],
    [["nudge", "stop", "restart"], "ladder: rising rungs are required, got restart after stop"],
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
