import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, judgedBy, newRun, step, takeCall, times } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import type { AgentEvent } from "../event.ts";
import { type KnownOutcome, newOutcome } from "../memory/known-outcome.ts";
import { noteNews } from "../memory/news.ts";
import { resolveProgress } from "../progress/progress-options.ts";
import type { Step } from "../step.ts";
import { hasNewsInLap, judgeRepeat } from "./judge-repeat.ts";
import { type Moment, momentOf, sightingOf } from "./moment.ts";

const progress = resolveProgress();

/** What of a moment a case may name: the state's counters, whether the world changed or the run learned, and the call. */
interface Now {
  readonly turn?: number;
  readonly compaction?: number;
  readonly isFailing?: boolean;
  readonly length?: number;
  readonly hasChanged?: boolean;
  readonly hasNews?: boolean;
  readonly tool?: string;
  readonly args?: object;
}

/** A look in round 5, five calls after the outcome was seen, with nothing in between, unless the case says more. */
function moment(now: Now = {}): Moment {
  const { turn = 0, compaction = 0, isFailing = false, length = 500, hasChanged, hasNews } = now;
  const run = newRun({ progress: { seesResults: true } });
  const step: Step = { ...takeCall(run, call(now.tool ?? "get_order", now.args)), index: 5, round: 5 };
  const { state } = run;
  Object.assign(state, { turn, compaction });
  if (hasChanged) state.world.lastChange = 3;
  if (hasNews) noteNews(state.news, { index: 3, round: 3 }, "news");
  return { ...momentOf(state, step, { progress, rule: {} }), isFailing, length };
}

const known = (more: Partial<KnownOutcome> = {}): KnownOutcome => ({
  ...newOutcome("outcome", { ...sightingOf(moment()), index: 0, round: 0 }),
  ...more,
});
const judged = (then: Partial<KnownOutcome>, now: Now, hasOthers = false, isPatient = false) =>
  judgeRepeat(known(then), moment(now), hasOthers, isPatient);

describe("judgeRepeat", () => {
  it("counts a repeat with nothing to be said for it", () => {
    expect(judged({}, {})).toEqual({ weight: "counts", reason: undefined });
    expect(judged({ isFailing: true }, { isFailing: true })).toEqual({ weight: "counts", reason: undefined });
  });

  it.each<[string, ReturnType<typeof judged>, ReturnType<typeof judged>]>([
    ["the user spoke", judged({}, { turn: 1 }), { weight: "begins-anew", reason: "user-spoke" }],
    ["the world changed", judged({}, { hasChanged: true }), { weight: "begins-anew", reason: "changed-world" }],
    [
      "it was asked together with its equal",
      judged({ rounds: [2, 5] }, {}),
      { weight: "passes", reason: "same-round" },
    ],
    ["it is the first after a compaction", judged({}, { compaction: 1 }), { weight: "passes", reason: "compaction" }],
    ["it waits", judged({}, {}, false, true), { weight: "passes", reason: "waiting" }],
    ["the run learned something", judged({}, { hasNews: true }), { weight: "passes", reason: "news-in-lap" }],
    [
      "the run learned something twice in a row",
      judged({ newsLaps: 1 }, { hasNews: true }),
      { weight: "begins-anew", reason: "news-in-lap" },
    ],
    [
      'it is the "ok" of an act, with other calls in between',
      judged({}, { length: 2, tool: "click" }),
      { weight: "passes", reason: "says-nothing" },
    ],
    ["it is one of several short answers", judged({}, { length: 40 }, true), { weight: "passes", reason: "sampling" }],
  ])("does not count one where %s", (_what, verdict, expected) => {
    expect(verdict).toEqual(expected);
  });

  it.each<[string, ReturnType<typeof judged>, string]>([
    ["the longest answer that tells nothing", judged({}, { length: 20, tool: "click" }), "says-nothing"],
    ["an act with one call in between", judged({ index: 3 }, { length: 2, tool: "click" }), "says-nothing"],
    ['the "ok" of a change', judged({}, { length: 2, tool: "write_file" }), "says-nothing"],
    ['the "ok" of a tool that nobody knows', judged({}, { length: 2, tool: "frobnicate" }), "says-nothing"],
    ["the longest answer that may be a reading", judged({}, { length: 80 }, true), "sampling"],
    ["the fourth reading in a row", judged({ inRow: 3 }, { length: 40 }, true), "sampling"],
    ["the eighth reading", judged({ sampled: 7 }, { length: 40 }, true), "sampling"],
    ["a look after the second compaction", judged({ compaction: 1 }, { compaction: 2 }), "compaction"],
  ])("still lets pass %s", (_what, { reason }, expected) => {
    expect(reason).toBe(expected);
  });

  it.each<[string, ReturnType<typeof judged>]>([
    ["what changed before it was seen", judged({ index: 4 }, { hasChanged: true })],
    ["an equal in an earlier round", judged({ rounds: [1, 2] }, {})],
    ["a failure after a compaction", judged({ isFailing: true }, { compaction: 1, isFailing: true })],
    ["a change after a compaction", judged({}, { compaction: 1, tool: "write_file" })],
    ["the second look after a compaction", judged({ compaction: 1 }, { compaction: 1 })],
    ["a look after the third compaction in vain", judged({ firstCompaction: 0, compaction: 2 }, { compaction: 3 })],
    ["a failure after one digression", judged({ isFailing: true }, { isFailing: true, hasNews: true })],
    ['the "ok" of an act that is done again at once', judged({ index: 4 }, { length: 2, tool: "click" })],
    ['the "ok" of a look', judged({}, { length: 2 })],
    ['the "ok" of a command', judged({}, { length: 2, tool: "bash", args: { command: "rm a" } })],
    ["a longer answer of an act", judged({}, { length: 21, tool: "click" })],
    ["a failing act, however curt", judged({ isFailing: true }, { isFailing: true, length: 2, tool: "click" })],
    ["one of several long answers", judged({}, { length: 81 }, true)],
    ["a short answer that came five times in a row", judged({ inRow: 4 }, { length: 40 }, true)],
    ["a short answer that came dozens of times", judged({ sampled: 8 }, { length: 40 }, true)],
    ["the only answer, however short", judged({}, { length: 40 })],
  ])("counts %s", (_what, { weight }) => {
    expect(weight).toBe("counts");
  });

  it("says why a repeat does not count, and only then", () => {
    const flags = fc.record({
      turn: fc.nat(1),
      compaction: fc.nat(3),
      isFailing: fc.boolean(),
      length: fc.constantFrom(0, 15, 60, 300),
      hasNews: fc.boolean(),
      hasChanged: fc.boolean(),
      tool: fc.constantFrom("click", "get_order", "write_file", "frobnicate"),
    });
    const property = fc.property(
      flags,
      fc.nat(2),
      fc.boolean(),
      fc.boolean(),
      (now, newsLaps, hasOthers, isPatient) => {
        const verdict = judged({ newsLaps, isFailing: now.isFailing }, now, hasOthers, isPatient);

        expect(verdict.reason === undefined).toBe(verdict.weight === "counts");
        // What the user said, and what changed, goes before everything else.
        if (now.turn > 0) expect(verdict.reason).toBe("user-spoke");
        else if (now.hasChanged) expect(verdict.reason).toBe("changed-world");
        else if (isPatient) expect(verdict.weight).not.toBe("counts");
      },
    );
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("hasNewsInLap", () => {
  it("asks what came since the outcome, for the first time, and what came together with it, later", () => {
    const learned = moment({ hasNews: true });
    const inLap = (round: number, isFirst: boolean) => hasNewsInLap(known({ round, isFirst }), learned);

    expect([2, 3, 4].map((round) => inLap(round, true))).toEqual([true, false, false]);
    expect([2, 3, 4].map((round) => inLap(round, false))).toEqual([true, true, false]);
  });

  it("is not asked where news do not count", () => {
    const learned = moment({ hasNews: true });
    const rules = { progress: resolveProgress({ news: false }), rule: {} };

    expect(hasNewsInLap(known(), learned)).toBe(true);
    expect(hasNewsInLap(known(), { ...learned, rules })).toBe(false);
  });
});

describe("a run", () => {
  const look = step("get_order", { id: 7 }, "an order");
  const reasonsOf = (events: readonly AgentEvent[]) =>
    judgedBy(newRun({ progress: { seesResults: true } }), events).map(({ exact }) => exact.reason);

  it("gives the reasons with its steps", () => {
    const edit = step("edit", { path: "a.ts", text: "x" }, "edited");

    expect(reasonsOf([...times(3, look), ...edit, ...look, { type: "user" }, ...look])).toEqual([
      "new-outcome",
      undefined,
      undefined,
      "new-outcome",
      "changed-world",
      "user-spoke",
    ]);
  });

  it("takes the looks of a checklist that is ticked between its items for work", () => {
    const item = (name: string) => [
      ...step("do", { name }, `${name} is done`),
      ...step("tick", { name }, "ok"),
      ...look,
    ];

    expect(reasonsOf(["wash", "iron", "fold", "sort"].flatMap(item)).filter((reason) => reason === undefined)).toEqual(
      [],
    );
  });
});
