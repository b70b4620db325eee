import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, failure, judgedBy, newRun, result, step, takeCall, times, user } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import type { AgentEvent } from "../event.ts";
import { type KnownOutcome, newOutcome } from "../memory/known-outcome.ts";
import { noteNews } from "../memory/run-state.ts";
import { readOutcome } from "../outcome/read-outcome.ts";
import { type ProgressOptions, resolveProgress } from "../progress/progress-options.ts";
import type { Step } from "../step.ts";
import type { ToolRule } from "../tool-rule.ts";
import { hearUser } from "../words/stated-intent.ts";
import { foresee, hasNewsInLap, repeatOf } from "./judge-repeat.ts";
import type { Situation } from "./situation.ts";
import { cellOf } from "./table.ts";
import { takeOutcome } from "./take-outcome.ts";

const LONG = `an answer of more than eighty characters, ${"which is no reading and no vote ".repeat(3)}`;

/** What of a situation a case may name: the state's counters, whether the world changed or the run learned, the call and its answer. */
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
function situation(now: Now = {}): Situation {
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
    blindness: "none",
  };
}

function known(more: Partial<KnownOutcome> = {}): KnownOutcome {
  const { state, step } = situation();
  return { ...newOutcome("outcome", { ...step, index: 0, round: 0 }, state, false), ...more };
}

/** What a repeat is worth: it counts, or the reason why it does not, marked where counting begins anew with it. */
function judged(then: Partial<KnownOutcome>, now: Now, hasOthers = false, isPatient = false): string {
  const here = situation(now);
  const { outcome: digest, failure: told } = here.step;
  const own = known({ digest, isFailing: told !== undefined, ...then });
  const { reason, beginsAnew } = repeatOf(own, hasOthers ? [own, known()] : [own], here, isPatient);
  return beginsAnew ? `anew: ${reason}` : (reason ?? "counts");
}

/** How many repeats are passed over before one counts; 30 where none of so many does. */
const forgiven = (now: Now, hasOthers = false): number =>
  Array.from({ length: 30 }, (_, at) => at).find((at) => judged({ forgiven: at }, now, hasOthers) === "counts") ?? 30;

describe("a repeat", () => {
  it("counts a repeat with nothing to be said for it", () => {
    expect(judged({}, {})).toBe("counts");
    expect(judged({ isFailing: true }, { isFailing: true })).toBe("counts");
  });

  it.each<[string, string, string]>([
    ["the user spoke", judged({}, { turn: 1 }), "anew: user-spoke"],
    ["the world changed", judged({}, { hasChanged: true }), "anew: changed-world"],
    ["it was asked together with its equal", judged({ rounds: [2, 5] }, {}), "same-round"],
    ["it is the first after a compaction", judged({}, { compaction: 1 }), "compaction"],
    ["it waits", judged({}, {}, false, true), "waiting"],
    ["the run learned something", judged({}, { hasNews: true }), "news-in-lap"],
    ["the run learned something twice in a row", judged({ newsLaps: 1 }, { hasNews: true }), "anew: news-in-lap"],
    [
      "an act that says nothing was followed by news",
      judged({}, { hasNews: true, tool: "click", output: "ok" }),
      "anew: news-in-lap",
    ],
    ['it is the "ok" of an act', judged({}, { output: "ok", tool: "click" }), "says-nothing"],
    [
      "it is a value that others may change",
      judged({}, { output: "the fridge has 4 degrees", tool: "get_temperature" }),
      "sampling",
    ],
    [
      "it says how much it has changed",
      judged({}, { output: "1000 rows affected", tool: "move_batch" }),
      "anew: changed-world",
    ],
  ])("does not count one where %s", (_what, worth, expected) => {
    expect(worth).toBe(expected);
  });

  it.each<[string, string]>([
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
  ])("counts %s", (_what, worth) => {
    expect(worth).toBe("counts");
  });

  it.each([
    [4, "news-in-lap"],
    [5, "counts"],
  ])("after compaction %i, where the lap brought news: %s", (compaction, reason) => {
    expect(judged({ firstCompaction: 0, compaction: compaction - 1 }, { compaction, hasNews: true })).toBe(reason);
  });

  it("still lets a look pass after the second compaction", () => {
    expect(judged({ compaction: 1 }, { compaction: 2 })).toBe("compaction");
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

  it("counts a failure that lasts, and forgives one that may pass", () => {
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

  it("excuses a repeat by the first reason that holds", () => {
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
        const worth = judged({ newsLaps, isFailing: now.isFailing }, now, hasOthers, isPatient);

        // What the user said, and what changed, goes before everything else.
        if (now.turn > 0) expect(worth).toBe("anew: user-spoke");
        else if (now.hasChanged) expect(worth).toBe("anew: changed-world");
        else if (isPatient) expect(worth).not.toBe("counts");
      },
    );
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("cellOf", () => {
  it("takes an order with all that belongs to it for said, however much comes back", () => {
    const order = (args: object) => cellOf(situation({ tool: "create_order", args })).isSure;

    expect(order({ item: "oak" })).toBe(true);
    expect(order({ item: "a table of oak", street: "12 Long Lane, York" })).toBe(false);
  });

  it("is sure of a failure that lasts, but not of what is said", () => {
    const refused = (tool: string, output: string) => cellOf(situation({ tool, output, isFailing: true })).isSure;

    expect(refused("click", "permission denied")).toBe(true);
    expect(refused("click", "the button has moved")).toBe(false);
    expect(refused("send_email", "permission denied")).toBe(false);
  });

  it("is sure of all where nothing is forgiven, and where outcomes are not looked at", () => {
    const click = { tool: "click", output: "ok" };

    expect(cellOf(situation(click)).isSure).toBe(false);
    expect(cellOf(situation({ ...click, progress: { forgives: false } })).isSure).toBe(true);
    expect(cellOf({ ...situation(click), outcome: undefined }).isSure).toBe(true);
  });
});

describe("hasNewsInLap", () => {
  it("asks what came since the outcome, for the first time, and what came together with it, later", () => {
    const learned = situation({ hasNews: true });
    const inLap = (round: number, isFirst: boolean) => hasNewsInLap(known({ round, isFirst }), learned);

    expect([2, 3, 4].map((round) => inLap(round, true))).toEqual([true, false, false]);
    expect([2, 3, 4].map((round) => inLap(round, false))).toEqual([true, true, false]);
  });

  it("is not asked where news do not count", () => {
    expect(hasNewsInLap(known(), situation({ hasNews: true }))).toBe(true);
    expect(hasNewsInLap(known(), situation({ hasNews: true, progress: { news: false } }))).toBe(false);
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

  it("counts each repeat of a batch that fails, and no repeat of one that does its part each time", () => {
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

/** What a call that is made after some events can come to, as far as that is known before it runs. */
function asked(before: readonly AgentEvent[], next: AgentEvent, rule: ToolRule = {}): ReturnType<typeof foresee> {
  const run = newRun({ progress: { seesResults: true } });
  for (const event of before) run.take(event);
  return foresee(run.state, takeCall(run, next), { progress: resolveProgress(), rule });
}

const RECORD = `a record of more than two hundred characters, ${"which nobody gives twice word for word ".repeat(4)}`;
const read = step("read_file", { path: "a.ts" }, "export const a = 1;");
const missing = [call("read_file", { path: "b.ts" }), failure("ENOENT: no such file")];
const order = (output: string) => step("get_order", { id: 7 }, output);
const failed = [call("get_order", { id: 7 }), failure("no such order")];
const edit = step("write_file", { path: "c.ts", content: "x" }, "written");

describe("foresee", () => {
  it.each<[string, AgentEvent[]]>([
    ["failed the same way", times(2, missing)],
    ["came back with the same file", times(2, read)],
    ["came back with the same long answer", times(2, order(RECORD))],
  ])("is proven barren if the call %s", (_what, before) => {
    expect(asked(before, before[0]!)).toBe("proven");
  });

  it.each<[string, AgentEvent[]]>([
    ["failed once, and may pass", missing],
    ["has come back once, and may yet tell something else", read],
    ["tells little of what others may change", times(4, order("none"))],
    ["failed where others may mend it", times(4, failed)],
    [
      "comes back with another time in it",
      ["10:00:01", "10:00:02", "10:00:03"].flatMap((at) => order(`${RECORD} ${at}`)),
    ],
    ["says that a job goes on", times(3, order(`status: running, ${RECORD}`))],
    ["failed because somebody was busy", times(2, [failed[0]!, failure("database is locked")])],
    [
      "comes back with something else at times",
      [...times(2, read), ...step("read_file", { path: "a.ts" }, "b"), ...read],
    ],
  ])("is barren, not proven, if the call %s", (_what, before) => {
    expect(asked(before, before[0]!)).toBe("barren");
  });

  it("is proven again once the world has changed, and what else it came to is past", () => {
    const other = step("read_file", { path: "a.ts" }, "b");

    expect(asked([...read, ...other, ...edit, ...times(2, read)], read[0]!)).toBe("proven");
  });

  it.each<[string, AgentEvent[]]>([
    ["something was changed since", edit],
    ["the user spoke since", [user("go on")]],
    ["the run has forgotten it", [{ type: "compaction" }]],
  ])("is open if %s", (_what, since) => {
    expect(asked([...times(3, missing), ...since], missing[0]!)).toBe("open");
  });

  it.each<[string, AgentEvent[], AgentEvent, ToolRule]>([
    ["a rule lets it poll", times(3, order("none")), order("none")[0]!, { poll: true }],
    ["it sleeps", times(3, step("wait", { seconds: 5 }, "waited")), call("wait", { seconds: 5 }), {}],
    ["one before it slept", [...times(3, order("none")), ...step("wait", { seconds: 5 }, "")], order("none")[0]!, {}],
  ])("is open while it may wait: %s", (_what, before, next, rule) => {
    expect(asked(before, next, rule)).toBe("open");
  });

  it("is open after a pause", () => {
    const look = (at: number) => [call("get_order", { id: 7 }, { at }), result(RECORD, { at: at + 1 })];
    const before = [0, 1000, 2000].flatMap(look);

    expect(asked(before, call("get_order", { id: 7 }, { at: 3000 }))).toBe("proven");
    expect(asked(before, call("get_order", { id: 7 }, { at: 30_000 }))).toBe("open");
  });

  it("is barren in another form, too, where that means the same", () => {
    expect(asked(times(2, read), call("view", { file_path: "./a.ts" }))).toBe("barren");
  });
});
