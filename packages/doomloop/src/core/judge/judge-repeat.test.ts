import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, failure, judgedBy, newRun, result, step, takeCall, times, user } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import type { AgentEvent } from "../event.ts";
import { type KnownOutcome, newOutcome } from "../memory/known-outcome.ts";
import { noteNews } from "../memory/news.ts";
import { readOutcome } from "../outcome/read-outcome.ts";
import { type ProgressOptions, resolveProgress } from "../progress/progress-options.ts";
import type { Step } from "../step.ts";
import type { ToolRule } from "../tool-rule.ts";
import { hearUser } from "../words/stated-intent.ts";
import { cellOf, hasNewsInLap, judgeRepeat } from "./judge-repeat.ts";
import type { Moment } from "./moment.ts";
import { takeOutcome } from "./take-outcome.ts";

const LONG = `an answer of more than eighty characters, ${"which is no reading and no vote ".repeat(3)}`;

/** What of a moment a case may name: the state's counters, whether the world changed or the run learned, the call and its answer. */
interface Now {
  readonly turn?: number;
  readonly compaction?: number;
  readonly isFailing?: boolean;
  readonly output?: string;
  readonly hasChanged?: boolean;
  readonly hasNews?: boolean;
  readonly tool?: string;
  readonly args?: object;
  readonly request?: string;
  readonly progress?: ProgressOptions;
  readonly rule?: ToolRule;
}

/** A look in round 5, five calls after the outcome was seen, with nothing in between, unless the case says more. */
function moment(now: Now = {}): Moment {
  const { turn = 0, compaction = 0, isFailing = false, output = LONG, hasChanged, hasNews } = now;
  const run = newRun({ progress: { seesResults: true } });
  const step: Step = { ...takeCall(run, call(now.tool ?? "read_file", now.args ?? {})), index: 5, round: 5 };
  const { state } = run;
  Object.assign(state, { turn, compaction });
  hearUser(state.intent, now.request);
  if (hasChanged) state.world.lastChange = 3;
  if (hasNews) noteNews(state.news, { index: 3, round: 3 }, "news");
  const outcome = readOutcome({ type: "result", output, error: isFailing }, platform, undefined);
  takeOutcome(step, outcome);
  return {
    state,
    step,
    rules: { progress: resolveProgress(now.progress), rule: now.rule ?? {} },
    outcome,
    isBatch: false,
  };
}

function known(more: Partial<KnownOutcome> = {}): KnownOutcome {
  const { state, step } = moment();
  return { ...newOutcome("outcome", { state, step: { ...step, index: 0, round: 0 } }), ...more };
}

const judged = (then: Partial<KnownOutcome>, now: Now, hasOthers = false, isPatient = false) =>
  judgeRepeat({ known: known(then), strength: "exact", hasOthers }, moment(now), isPatient);
/** How many repeats are passed over before one counts; 30 where none of so many does. */
const forgiven = (now: Now, hasOthers = false): number =>
  Array.from({ length: 30 }, (_, at) => at).find(
    (at) => judged({ forgiven: at }, now, hasOthers).weight === "counts",
  ) ?? 30;

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
      "an act that says nothing was followed by news",
      judged({}, { hasNews: true, tool: "click", output: "ok" }),
      { weight: "begins-anew", reason: "news-in-lap" },
    ],
    [
      'it is the "ok" of an act',
      judged({}, { output: "ok", tool: "click" }),
      { weight: "passes", reason: "says-nothing" },
    ],
    [
      "it is a value that others may change",
      judged({}, { output: "the fridge has 4 degrees", tool: "get_temperature" }),
      { weight: "passes", reason: "sampling" },
    ],
    [
      "it says how much it has changed",
      judged({}, { output: "1000 rows affected", tool: "move_batch" }),
      { weight: "begins-anew", reason: "changed-world" },
    ],
  ])("does not count one where %s", (_what, verdict, expected) => {
    expect(verdict).toEqual(expected);
  });

  it.each<[string, ReturnType<typeof judged>]>([
    ["what changed before it was seen", judged({ index: 4 }, { hasChanged: true })],
    ["an equal in an earlier round", judged({ rounds: [1, 2] }, {})],
    ["a failure after a compaction", judged({ isFailing: true }, { compaction: 1, isFailing: true })],
    ["a change after a compaction", judged({}, { compaction: 1, tool: "write_file" })],
    ["the second look after a compaction", judged({ compaction: 1 }, { compaction: 1 })],
    ["a look after the third compaction in vain", judged({ firstCompaction: 0, compaction: 2 }, { compaction: 3 })],
    ["a failure after one digression", judged({ isFailing: true }, { isFailing: true, hasNews: true })],
    ["a short answer of a look at files", judged({}, { output: "ok" })],
    ["a state that is over, however short", judged({}, { output: "status: failed", tool: "get_job" })],
    [
      "a failing act that says how much it changed",
      judged({}, { output: "12 rows deleted", tool: "move", isFailing: true }),
    ],
  ])("counts %s", (_what, { weight }) => {
    expect(weight).toBe("counts");
  });

  it("still lets a look pass after the second compaction", () => {
    expect(judged({ compaction: 1 }, { compaction: 2 }).reason).toBe("compaction");
  });

  it.each<[string, Now, number]>([
    ["a look at files", {}, 0],
    ["a value of a service", { tool: "get_temperature", output: "the fridge has 4 degrees" }, 2],
    ["a program that says nothing", { tool: "bash", args: { command: "./sync.sh" }, output: "" }, 4],
    ["a click", { tool: "click", output: "Clicked" }, 7],
    ["a measurement", { tool: "bash", args: { command: "npm test" } }, 17],
    ["a change that says nothing", { tool: "write_file", output: "ok" }, 0],
  ])("forgives %s as often as the table says", (_what, now, times) => {
    expect(forgiven(now)).toBe(times);
  });

  it("forgives one of several short values as often as a measurement, unless it is asked of a file or somebody", () => {
    const dice = { output: "you have thrown a 4", tool: "throw_dice" };

    expect(forgiven(dice)).toBe(7);
    expect(forgiven(dice, true)).toBe(17);
    expect(forgiven({ output: "you have thrown a 4" }, true)).toBe(0);
    expect(forgiven({ output: "yes, go on with it", tool: "ask_user" }, true)).toBe(0);
    expect(forgiven({ tool: "throw_dice" }, true)).toBe(0);
  });

  it("forgives as often as the user wants it done, whatever comes back", () => {
    const think = { tool: "think", output: "thought" };

    expect(forgiven({ ...think })).toBe(0);
    expect(forgiven({ ...think, request: "Do it 12 times." })).toBe(12);
    expect(forgiven({ request: "Do it 12 times." })).toBe(12);
  });

  it("measures on where it is to measure until something comes out", () => {
    const test = { tool: "bash", args: { command: "npm test" } };

    expect(forgiven({ ...test, request: "Run it until it fails." })).toBe(30);
    expect(forgiven({ tool: "think", output: "thought", request: "Think until you know." })).toBe(0);
  });

  it("counts what stays wrong whoever is asked, and forgives a failure that may pass", () => {
    const service = { tool: "get_order", isFailing: true };

    expect(forgiven({ ...service, output: "internal error" })).toBe(2);
    expect(forgiven({ ...service, output: "permission denied" })).toBe(0);
    expect(forgiven({ ...service, output: "invalid argument: id" })).toBe(0);
  });

  it("forgives nothing where that is switched off", () => {
    const click = { tool: "click", output: "ok", progress: { forgives: false } };

    expect(forgiven(click)).toBe(0);
    expect(forgiven({ ...click, output: "1000 rows affected" }, true)).toBe(0);
  });

  it("forgives nothing to a tool whose rule names a threshold, or how long it may poll", () => {
    const click = { tool: "click", output: "ok" };

    expect(forgiven({ ...click, rule: { threshold: 3 } })).toBe(0);
    expect(forgiven({ ...click, rule: { poll: { patienceMs: 1_000 } } })).toBe(0);
    expect(forgiven({ ...click, rule: { poll: true } })).toBe(7);
  });

  it("says why a repeat does not count, and only then", () => {
    const flags = fc.record({
      turn: fc.nat(1),
      compaction: fc.nat(3),
      isFailing: fc.boolean(),
      output: fc.constantFrom("", "ok", "the fridge has 4 degrees", LONG),
      hasNews: fc.boolean(),
      hasChanged: fc.boolean(),
      tool: fc.constantFrom("click", "get_order", "write_file", "frobnicate", "read_file", "benchmark", "think"),
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

describe("cellOf", () => {
  it("takes an order with all that belongs to it for said, however much comes back", () => {
    const order = (args: object) => cellOf(moment({ tool: "create_order", args })).isSure;

    expect(order({ item: "oak" })).toBe(true);
    expect(order({ item: "a table of oak", street: "12 Long Lane, York" })).toBe(false);
  });

  it("is sure of what stays wrong whoever is asked, but not of what is said", () => {
    const refused = (tool: string, output: string) => cellOf(moment({ tool, output, isFailing: true })).isSure;

    expect(refused("click", "permission denied")).toBe(true);
    expect(refused("click", "the button has moved")).toBe(false);
    expect(refused("send_email", "permission denied")).toBe(false);
  });

  it("is sure of all where nothing is forgiven, and where outcomes are not looked at", () => {
    const click = { tool: "click", output: "ok" };

    expect(cellOf(moment(click)).isSure).toBe(false);
    expect(cellOf(moment({ ...click, progress: { forgives: false } })).isSure).toBe(true);
    expect(cellOf({ ...moment(click), outcome: undefined }).isSure).toBe(true);
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
    expect(hasNewsInLap(known(), moment({ hasNews: true }))).toBe(true);
    expect(hasNewsInLap(known(), moment({ hasNews: true, progress: { news: false } }))).toBe(false);
  });
});

describe("a run", () => {
  const look = step("read_file", { path: "a.ts" }, "export const a = 1;");
  const reasonsOf = (events: readonly AgentEvent[]) =>
    judgedBy(newRun({ progress: { seesResults: true } }), events).map(({ exact }) => exact.reason);

  it("gives the reasons with its steps", () => {
    const edit = step("edit", { path: "b.ts", content: "x" }, "edited");

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

  it("counts each repeat of a batch that fails, and none of one that does its part each time", () => {
    const moved = step("move_batch", { size: 1000 }, "1000 rows affected");
    const stuck = [call("move_batch", { size: 1000 }), failure("no such table: orders")];

    expect(reasonsOf([user("Move all rows."), ...times(12, moved)])).not.toContain(undefined);
    expect(reasonsOf([user("Move all rows."), ...times(3, stuck)])).toEqual(["new-outcome", undefined, undefined]);
  });

  it("passes over what is said to come again as often as it was asked for", () => {
    const throwOnce = [call("think", { thought: "heads" }), result("noted")];

    expect(reasonsOf([user("Do that 3 times."), ...times(5, throwOnce)])).toEqual([
      "new-outcome",
      "sampling",
      "sampling",
      "sampling",
      undefined,
    ]);
  });
});
