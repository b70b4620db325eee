import {
  type AgentEvent,
  createGuard,
  type Decision,
  type Finding,
  type GuardOptions,
  isDoomloopError,
  LOOP_DETECTED,
  type Rung,
} from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventStreams, workStreams } from "../../../../test/arbitrary-events.ts";
import { actionsOf, call, decisionsOf, failure, result, round, step, times, user } from "../../../../test/builders.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { timesAsLong } from "../../../../test/shortest-time.ts";
import { memberOf } from "../fleet/fleet-evidence.ts";
import { platform } from "../platform.ts";
import { type CoreGuard, createCoreGuard } from "./guard.ts";

/** Long enough that having it again to the letter proves that nothing happened. */
const RECORD =
  "This record of a customer does not change, however often and in whatever mood somebody asks for it today. ".repeat(
    2,
  );
const OTHER =
  "Another customer, whose house has been empty since the spring of that year and who left no address behind. ".repeat(
    2,
  );
/** Only the run changes what is in its own folder: to read it again is a clear loop. */
const read = step("read_file", { path: "a.ts" }, RECORD);
const other = step("read_file", { path: "b.ts" }, OTHER);
/** What others may change is not so clear. */
const ask = step("get_record", { id: 9 }, RECORD.slice(0, 100));
/** For what is not about the levels: words, the last words, a refusal and the end, call by call. */
const hasty = { levels: { refused: 5, ended: 6 } } as const;
const news = (at: number) => step("get_record", { id: 100 + at }, `record number ${at}`);

const isMisuse = (fault: unknown): boolean => isDoomloopError(fault) && fault.code === "misuse";

/** A guard that keeps the faults it reports, but not what it tells of its host's mistakes. */
function watched(options: GuardOptions = {}) {
  const faults: unknown[] = [];
  const guard = createGuard({ ...options, onFault: (fault) => void (isMisuse(fault) || faults.push(fault)) });
  const observeAll = (events: readonly AgentEvent[]) => events.map((event) => guard.observe(event));
  return { guard, faults, observeAll };
}

describe("a guard", () => {
  it("says continue, and nothing else, as long as nothing repeats", () => {
    const { observeAll } = watched();

    expect(new Set(observeAll([0, 1, 2, 3, 4, 5, 6, 7].flatMap(news)))).toEqual(new Set([{ action: "continue" }]));
  });

  it("nudges at growing distances, then refuses the call, and then stops the run", () => {
    const decisions = decisionsOf(times(26, read));
    const calls = (wanted: string) => [
      ...new Set(decisions.filter(({ action }) => action === wanted).map(({ at }) => Math.floor(at / 2))),
    ];

    expect(calls("nudge")).toEqual([2, 4, 8]);
    // Insisting gets through at the third refusal, and then at twice the distance.
    expect(calls("block")).toEqual([9, 10, 12, 13, 15, 16, 17, 18]);
    expect(calls("stop")).toEqual([19, 20, 21, 22, 23, 24, 25]);
  });

  it("does so at the levels that the host says", () => {
    const decisions = decisionsOf(times(7, read), hasty);

    expect(decisions.slice(0, 4).map(({ at, action, status }) => [at, action, status])).toEqual([
      [5, "nudge", undefined],
      [7, "nudge", undefined],
      [8, "block", undefined],
      [10, "stop", LOOP_DETECTED],
    ]);
  });

  it("gives words to the agent and to the human with everything that it does", () => {
    for (const { message, explanation } of decisionsOf(times(26, read))) {
      expect(message).toMatch(/^\[doomloop\] /);
      expect(explanation).toMatch(/^(The|Stopped: the) agent called `read_file`/);
    }
  });

  it("says once in a round what it has to say, though a failure is seen in several ways", () => {
    const failing = step("read_file", { path: "a.ts" }, "no such file", { error: true });

    expect(decisionsOf(times(3, failing), hasty)).toHaveLength(1);
    expect(decisionsOf(times(4, failing), hasty)).toHaveLength(2);
  });

  it.each([
    ["a change", step("bash", { command: "npm install left-pad" }, "added 1 package")],
    ["news", news(1)],
    ["a word of the user", [user("go on")]],
  ])("refuses nothing that it would have refused, after %s", (_what, between) => {
    const refusalsIn = (events: readonly AgentEvent[]) =>
      decisionsOf([...times(4, read), ...events, ...read], hasty).filter(({ action }) => action === "block");

    expect(refusalsIn([])).toHaveLength(1);
    expect(refusalsIn(between)).toEqual([]);
  });

  it("begins with the first words again after a word of the user", () => {
    const [, , third] = decisionsOf([...times(4, read), user("go on"), ...times(3, read)], hasty);

    expect(third).toMatchObject({ action: "nudge", finding: { kind: "repeated-call" } });
    expect(third?.message).not.toMatch(/Loop:|Last warning/);
  });

  it("says more on the second nudge than the first one again", () => {
    const [first = [], second = []] = decisionsOf(times(5, read)).map(({ message }) => message?.split(". ").slice(1));

    expect(second.length).toBeGreaterThan(0);
    for (const sentence of second) expect(first).not.toContain(sentence);
  });

  it("is not appeased by its own message coming back as the user's", () => {
    expect(actionsOf([...times(2, read), user("[doomloop] This exact call failed"), ...read])).toEqual(["nudge"]);
  });

  it("starts over with an empty memory if the list says restart, and stops if the loop comes again", () => {
    const { observeAll } = watched({ ladder: ["nudge", "restart", "stop"] });
    const actions = observeAll(times(50, read)).map(({ action }) => action);
    const [restart, stop] = [actions.indexOf("restart"), actions.indexOf("stop")];

    expect(Math.floor(restart / 2)).toBe(19);
    expect(actions.slice(restart + 1, restart + 6)).not.toContain("nudge");
    expect(Math.floor((stop - restart) / 2)).toBe(20);
  });

  it("takes anything but a finding for nothing to allow", () => {
    const guard = createGuard();

    for (const nothing of [null, undefined, 5, {}, { loop: 7 }]) guard.allow(nothing as never);

    expect(guard.stats()).toMatchObject({ falsePositives: 0, faults: 0 });
  });

  it.each([null, 5, "balanced"])("refuses %j for options", (options) => {
    expect(() => createGuard(options as never)).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });

  it("keeps its memory where the host does not start over", () => {
    const due: string[] = [];
    const onDecision = ({ action }: Decision): Decision => {
      due.push(action);
      return { action: "continue" };
    };
    const guard = createGuard({ ...hasty, ladder: ["nudge", "restart"], onDecision });
    for (const event of times(8, read)) guard.observe(event);

    expect(due).toEqual(["nudge", "nudge", "restart", "restart", "restart"]);
  });

  it("refuses no variant of a loop that was allowed", () => {
    const others = ["similar-call", "same-outcome", "stalled", "call-cycle"] as const;
    const guard = createGuard({ ...hasty, detectors: Object.fromEntries(others.map((kind) => [kind, false])) });
    const page = "What stands in the file, at some length. ".repeat(8);
    const look = (at: number): Decision[] =>
      step("read_file", { path: "a.ts", why: `reason ${at}` }, page).map((event) => guard.observe(event));
    const told = [1, 2, 3, 4, 5, 6, 7].flatMap(look).filter(({ action }) => action === "nudge");
    guard.allow(told.at(-1)!.finding!);

    expect(told).toHaveLength(2);
    expect([8, 8, 8, 8].flatMap(look).map(({ action }) => action)).not.toContain("block");
  });

  it("forgets what failed before a command that changed something, whether it was asked in between or not", () => {
    const failing = (at: number): AgentEvent[] => [
      call("deploy_site", { region: `region ${at}`, site: "the same site as ever" }),
      failure(`Error ${"abcdefgh"[at]}: something else went wrong`),
    ];
    const before = [
      ...failing(0),
      ...step("edit_file", { path: "a.ts", old_string: "1", new_string: "2" }, "done"),
      ...[1, 2, 3].flatMap(failing),
      ...step("bash", { command: "npm install left-pad" }, "added 1 package"),
    ];
    const after = [4, 5, 6].flatMap(failing);
    const observed = (asks: boolean): string[] => {
      const guard = createGuard();
      for (const event of before) guard.observe(event);
      if (asks) guard.snapshot();
      return after.map((event) => guard.observe(event).action);
    };

    expect(observed(false)).toEqual(observed(true));
    expect(observed(false)).not.toContain("nudge");
  });

  it("tells a poller who has waited too long to wait once, and not to try something else", () => {
    const poll = step("check_job", { id: 7 }, "status: running");
    const decisions = decisionsOf(times(200, poll), {
      rules: { check_job: { poll: { patienceMs: 60_000 } } },
      ladder: ["nudge"],
    });

    expect(decisions.length).toBeGreaterThan(3);
    for (const { message } of decisions) {
      expect(message).toMatch(/(?:Wait|pause) (?:30 seconds|a minute)/);
      expect(message).not.toMatch(/different (?:arguments|approach|tool)|other words/);
    }
  });

  it("decides the same on the same events, every time", () => {
    const property = fc.property(eventStreams, (events) => {
      expect(watched().observeAll(events)).toEqual(watched().observeAll(events));
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 20) });
  });
});

describe("observe", () => {
  it.each([
    undefined,
    null,
    7,
    "call",
    {},
    { type: "call" },
    { type: "call", tool: 7 },
    { type: "result" },
    { type: "result", id: {}, output: Symbol("x") },
    { type: "text", text: null },
    { type: "reasoning" },
    { type: "state", key: 3 },
    { type: "user", text: 9 },
    { type: "__proto__" },
    Object.create(null),
  ])("does not throw at the event %s", (event) => {
    const { guard } = watched();

    expect(guard.observe(event as unknown as AgentEvent)).toEqual({ action: "continue" });
  });

  it("does not throw at values that fight back", () => {
    const trap = new Proxy({}, { get: fail, ownKeys: fail, getOwnPropertyDescriptor: fail, getPrototypeOf: fail });
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const getter = Object.defineProperty({}, "path", { enumerable: true, get: fail });
    const { observeAll, faults } = watched();

    for (const value of [trap, cycle, getter, new Map([[cycle, trap]]), () => fail(), 10n, Symbol("x")]) {
      expect(observeAll([call("read_file", value), result(value)])).toEqual([
        { action: "continue" },
        { action: "continue" },
      ]);
    }
    expect(faults).toEqual([]);
  });

  it("does not throw at an event that fights back, but reports it, once, and begins anew", () => {
    const hostile = Object.defineProperty({}, "type", { get: fail }) as AgentEvent;
    const { guard, faults, observeAll } = watched();

    expect(observeAll([...times(2, read), hostile, hostile, ...times(2, read)])).toEqual(
      Array.from({ length: 10 }, () => ({ action: "continue" })),
    );
    expect(faults).toHaveLength(1);
    expect(guard.stats().faults).toBe(2);
    expect(guard.observe(read[0]!).action).toBe("continue");
    expect(guard.observe(read[1]!).action).toBe("nudge");
  });

  it("does not throw, whatever comes", () => {
    const anything = fc.oneof(eventStreams, fc.array(fc.anything() as fc.Arbitrary<AgentEvent>, { maxLength: 6 }));
    const property = fc.property(anything, (events) => {
      for (const { action } of watched().observeAll(events)) {
        expect(["continue", "nudge", "block", "restart", "stop"]).toContain(action);
      }
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it("takes not much longer for a failure of 8 MB of blank lines than for one of words", () => {
    const [words, lines] = ["word ".repeat(1_600_000), "\n".repeat(8_000_000)];
    const fail = (output: string) =>
      void watched().observeAll([call("bash", { command: "make" }), result(output, { error: true })]);

    expect(
      timesAsLong(
        () => fail(lines),
        () => fail(words),
        12,
      ),
    ).toBeLessThan(12);
  });

  it("does not change what it is given", () => {
    const args = Object.freeze({ path: "a", deep: Object.freeze({ list: Object.freeze([1, 2]) }) });
    const { observeAll, faults } = watched();
    observeAll(times(4, [Object.freeze(call("read_file", args)), Object.freeze(result(args))]));

    expect(faults).toEqual([]);
  });
});

describe("callbacks", () => {
  it("onDecision sees every decision, and what it returns is done and counted instead", () => {
    const seen: Decision[] = [];
    const instead: Decision = { action: "continue" };
    const guard = createGuard({ ...hasty, onDecision: (decision) => (seen.push(decision) > 1 ? instead : undefined) });
    const actions = times(5, read).map((event) => guard.observe(event).action);

    expect(actions.filter((action) => action !== "continue")).toEqual(["nudge"]);
    expect(seen.map(({ action }) => action)).toEqual(["nudge", "nudge", "block"]);
    expect(guard.stats().decisions).toMatchObject({ nudge: 1, block: 0 });
  });

  it("onDecision that throws is a fault, and the decision stands", () => {
    const { faults, observeAll } = watched({ ...hasty, onDecision: fail });

    expect(observeAll(times(4, read)).map(({ action }) => action)).toEqual([
      ...Array.from({ length: 5 }, () => "continue"),
      "nudge",
      "continue",
      "nudge",
    ]);
    expect(faults).toHaveLength(1);
  });

  it.each([
    ["a promise", Promise.resolve({ action: "continue" })],
    ["a text", "stop"],
    ["an action that is none", { action: "explode" }],
    ["a value that fights back", Object.defineProperty({}, "action", { get: fail })],
  ])("onDecision that returns %s is a fault, and the decision stands", (_what, returned) => {
    const { guard, faults, observeAll } = watched({ onDecision: () => returned as Decision });

    expect(observeAll(times(3, read)).at(-1)).toMatchObject({ action: "nudge" });
    expect(faults).toHaveLength(1);
    expect(guard.stats().decisions).toEqual({ continue: 5, nudge: 1, block: 0, restart: 0, stop: 0 });
  });

  it("words beside a call that is ignored are no answer without a call", () => {
    const waiting = [
      { type: "round" },
      { type: "text", text: "I am waiting.", partial: true },
      { type: "call", id: "w", tool: "wait", args: {} },
      { type: "result", id: "w", output: "" },
    ] as const;
    const { observeAll } = watched({ rules: { wait: { ignore: true } } });

    expect(new Set(observeAll(times(9, waiting)).map(({ action }) => action))).toEqual(new Set(["continue"]));
  });

  it("onDecision that lets a refused call run has its result counted", () => {
    const { guard, observeAll } = watched({
      ...hasty,
      onDecision: ({ action }) => (action === "block" ? { action: "continue" } : undefined),
    });
    const decisions = observeAll(times(5, read));

    expect(decisions.at(-2)).toEqual({ action: "continue" });
    expect(guard.stats().findings["repeated-call"]).toBe(4);
  });

  it("onDecision that lifts a refusal leaves results with their calls, though nothing but their order tells", () => {
    let lifted = 0;
    const { observeAll } = watched({
      ...hasty,
      ladder: ["nudge", "block"],
      onDecision: ({ action }) => (action === "block" && ++lifted > 0 ? { action: "continue" } : undefined),
    });
    observeAll(times(4, read));
    const both = (at: number) => [read[0]!, call("get_order", { id: 7 }), read[1]!, result(`order ${"xyz"[at]} of 7`)];
    const words = [0, 1, 2].flatMap((at) => observeAll(both(at))).filter(({ finding }) => finding !== undefined);

    expect(lifted).toBeGreaterThan(0);
    expect(words.flatMap(({ finding }) => finding?.tools)).not.toContain("get_order");
  });

  it("onDecision that refuses a call leaves the next result to the next call", () => {
    let asked = 0;
    const fleet = memberOf({
      world: "here",
      report() {},
      verdict: () => (asked++ === 0 ? { calls: 9, workers: 3, windowMs: 1 } : undefined),
    });
    const { observeAll } = watched({
      fleet,
      onDecision: ({ finding }) => (finding?.kind === "fleet" ? { action: "block", message: "no" } : undefined),
    });
    const decisions = observeAll([read[0]!, ...times(3, step("get_order", { id: 7 }, OTHER))]);

    expect(decisions[0]?.action).toBe("block");
    expect(decisions.at(-1)).toMatchObject({ action: "nudge", finding: { tools: ["get_order"], count: 3 } });
  });

  it("onFault that throws disturbs nobody", () => {
    const guard = createGuard({ onFault: fail });

    expect(guard.observe(null as unknown as AgentEvent)).toEqual({ action: "continue" });
  });

  it.each([
    ["ignore", { ignore: fail }],
    ["identity", { identity: fail }],
  ])("a rule's %s that throws is a fault, and as good as absent", (_what, rule) => {
    const { faults, observeAll } = watched({ rules: { read_file: rule as object } });

    expect(observeAll(times(6, read))).toEqual(watched().observeAll(times(6, read)));
    expect(faults).toHaveLength(1);
  });
});

describe("allow", () => {
  const findingIn = (decisions: readonly Decision[]) =>
    decisions.findLast(({ finding }) => finding !== undefined)!.finding!;

  it("lets the loop of a finding go on, and no other", () => {
    const { guard, observeAll } = watched({ detectors: { stalled: false } });
    guard.allow(findingIn(observeAll(times(3, read))));

    expect(new Set(observeAll(times(6, read)).map(({ action }) => action))).toEqual(new Set(["continue"]));
    expect(observeAll(times(3, other)).at(-1)?.action).toBe("nudge");
  });

  it("lets the same repetition go on under whatever name it would be found", () => {
    const { guard, observeAll } = watched();
    guard.allow(findingIn(observeAll(times(3, read))));

    expect(new Set(observeAll(times(9, read)).map(({ action }) => action))).toEqual(new Set(["continue"]));
  });

  it("lets a cycle go on, however many others were allowed after it", () => {
    const { guard, observeAll } = watched();
    const lap = (turn: number) =>
      Array.from({ length: 20 }, (_, at) => step("get_record", { turn, at }, `${RECORD} ${turn} and ${at}`)).flat();
    const loops = [0, 1, 2, 3].map((turn) => {
      const found = observeAll(times(3, lap(turn))).find(({ finding }) => finding !== undefined)!.finding!;
      guard.allow(found);
      return found.loop;
    });
    const found = observeAll(times(3, lap(0))).flatMap(({ finding }) => finding?.loop ?? []);

    expect(new Set(loops).size).toBe(4);
    expect(found).not.toContain(loops[0]);
  });

  it("lifts a refusal too", () => {
    const { guard, observeAll } = watched({ ...hasty, detectors: { stalled: false } });
    const decisions = observeAll(times(5, read).slice(0, -1));
    expect(decisions.at(-1)?.action).toBe("block");
    guard.allow(findingIn(decisions));

    expect(guard.observe(read[1]!).action).toBe("continue");
    expect(observeAll(times(3, read)).map(({ action }) => action)).not.toContain("block");
  });

  it("lifts the refusal of a rule too", () => {
    const { guard, observeAll } = watched({ rules: { read_file: { repeat: "never" } } });
    const decisions = observeAll([...read, read[0]!]);
    expect(decisions.at(-1)?.action).toBe("block");
    guard.allow(findingIn(decisions));

    expect(guard.observe(read[0]!).action).toBe("continue");
  });

  it("remembers the latest of very many, in a bounded memory", () => {
    const { guard, observeAll } = watched();
    const { loop } = findingIn(observeAll(times(3, read)));
    for (let at = 0; at < 5000; at++) guard.allow({ loop: at.toString(16).padStart(32, "0") } as Finding);
    guard.allow({ loop } as Finding);

    expect(JSON.stringify(guard.snapshot()).length).toBeLessThan(16_384);
    expect(new Set(observeAll(times(3, read)).map(({ action }) => action))).toEqual(new Set(["continue"]));
  });
});

describe("reset", () => {
  it("forgets the run", () => {
    const { guard, observeAll } = watched();
    observeAll(times(4, read));
    guard.reset();

    expect(observeAll(times(3, read)).map(({ action }) => action)).toEqual([
      ...Array.from({ length: 5 }, () => "continue"),
      "nudge",
    ]);
  });

  it("keeps statistics, options and what was allowed", () => {
    const { guard, observeAll } = watched({ detectors: { "repeated-call": { threshold: 2 }, stalled: false } });
    const [finding] = observeAll(times(2, read)).flatMap((decision) => decision.finding ?? []);
    guard.allow(finding!);
    const before = guard.stats();
    guard.reset();

    expect(guard.stats()).toEqual(before);
    expect(new Set(observeAll(times(4, read)).map(({ action }) => action))).toEqual(new Set(["continue"]));
    expect(observeAll(times(2, other)).at(-1)?.action).toBe("nudge");
  });
});

describe("a gap", () => {
  const edit = (at: number) => step("edit", { path: "src/sum.ts", text: `attempt number ${at}` }, "edited");
  const test = [call("bash", { command: "npm test" }), failure("expected 3, got 4\n1 failed, 7 passed")];
  const guardWith = (options: GuardOptions = {}) => createCoreGuard(options, platform);
  const observed = (guard: CoreGuard, events: readonly AgentEvent[]) => events.map((event) => guard.observe(event));

  it("leaves nothing to claim about checks and changes from before it", () => {
    const guard = guardWith();
    observed(
      guard,
      [0, 1, 2, 3].flatMap((at) => [...edit(at), ...test]),
    );
    guard.noteGap();
    const said = observed(guard, times(3, test)).flatMap(({ finding }) => finding ?? []);

    expect(said).toMatchObject([{ kind: "repeated-call", count: 3 }]);
  });

  it("makes the words about a loop begin with the first", () => {
    const guard = guardWith(hasty);
    const before = observed(guard, times(4, read)).flatMap(({ message }) => message ?? []);
    guard.noteGap();
    const after = observed(guard, times(4, read)).flatMap(({ message }) => message ?? []);

    expect(before).toHaveLength(2);
    expect(after).toEqual(before);
  });

  it("lets a run go on that was ended, because the user may have spoken", () => {
    const guard = guardWith(hasty);
    expect(observed(guard, times(9, read)).some(({ action }) => action === "stop")).toBe(true);
    guard.noteGap();

    expect(observed(guard, other).map(({ action }) => action)).toEqual(["continue", "continue"]);
  });

  it("keeps what the user said about repeating", () => {
    const firstNudge = (asks: readonly AgentEvent[]): number => {
      const guard = guardWith();
      observed(guard, asks);
      guard.noteGap();
      return observed(guard, times(20, read)).findIndex(({ action }) => action === "nudge");
    };

    expect(firstNudge([user("Look it up 15 times.")])).toBeGreaterThan(firstNudge([]) + 10);
  });

  it("is survived by a result that is under way", () => {
    const faults: unknown[] = [];
    const guard = guardWith({ onFault: (fault) => void faults.push(fault) });
    guard.observe(read[0]!);
    guard.noteGap();
    observed(guard, [read[1]!, ...times(3, read)]);

    expect(guard.stats().decisions.nudge).toBe(1);
    expect(faults).toEqual([]);
  });

  it("is behind no step of a finding, whatever happens", () => {
    const stretches = fc.array(fc.constantFrom(read, other, ask, test, edit(1), edit(2)), { maxLength: 20 });
    const property = fc.property(stretches, stretches, (before, after) => {
      const guard = guardWith(hasty);
      observed(guard, before.flat());
      guard.noteGap();
      for (const { finding } of observed(guard, after.flat()))
        expect(finding?.steps.every((index) => index >= before.length) ?? true).toBe(true);
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });
});

describe("peek", () => {
  it("says what observe would say, and records nothing", () => {
    const { guard, observeAll } = watched();
    observeAll([...times(2, read), read[0]!]);
    const before = JSON.stringify([guard.snapshot(), guard.stats()]);

    expect(guard.peek(read[1]!).action).toBe("nudge");
    expect(guard.peek(read[1]!).action).toBe("nudge");
    expect(JSON.stringify([guard.snapshot(), guard.stats()])).toBe(before);
    expect(guard.observe(read[1]!).action).toBe("nudge");
  });

  it("says what observe would say, whatever came before", () => {
    const property = fc.property(fc.oneof(eventStreams, workStreams), (events) => {
      const { guard, observeAll } = watched();
      const last = events.at(-1);
      observeAll(events.slice(0, -1));
      if (last === undefined) return;

      const peeked = guard.peek(last);
      expect(peeked).toEqual(guard.observe(last));
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it("does not ask onDecision", () => {
    let asked = 0;
    const { guard, observeAll } = watched({ onDecision: () => void asked++ });
    observeAll([...times(2, read), read[0]!]);
    guard.peek(read[1]!);

    expect(asked).toBe(0);
  });

  it.each([undefined, null, 7, "call", {}])("takes what observe takes, such as %s, without a fault", (event) => {
    const { guard, faults } = watched();

    expect(guard.peek(event as unknown as AgentEvent)).toEqual({ action: "continue" });
    expect(guard.observe(event as unknown as AgentEvent)).toEqual({ action: "continue" });
    expect(faults).toEqual([]);
  });

  it("does not throw at an event that fights back", () => {
    const hostile = Object.defineProperty({}, "type", { get: fail }) as AgentEvent;

    expect(watched().guard.peek(hostile)).toEqual({ action: "continue" });
  });
});

describe("a snapshot", () => {
  it("goes on like the guard that it was taken of, wherever it was taken", () => {
    const property = fc.property(fc.oneof(eventStreams, workStreams), fc.nat(40), (events, cut) => {
      const { guard, observeAll } = watched();
      observeAll(events.slice(0, cut));
      const { observeAll: goOn, faults } = watched({ snapshot: JSON.parse(JSON.stringify(guard.snapshot())) });

      expect(goOn(events.slice(cut))).toEqual(observeAll(events.slice(cut)));
      expect(faults).toEqual([]);
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it("goes on like the guard that it was taken of where the host has a clock, too", () => {
    const gaps = fc.array(fc.constantFrom(0, 1000, 6000, 12_000, 30_000, 400_000), { minLength: 1, maxLength: 5 });
    const property = fc.property(fc.oneof(eventStreams, workStreams), fc.nat(40), gaps, (stream, cut, gapsMs) => {
      const events = clocked(stream, gapsMs);
      const { guard, observeAll } = watched();
      observeAll(events.slice(0, cut));
      const { observeAll: goOn, faults } = watched({ snapshot: JSON.parse(JSON.stringify(guard.snapshot())) });

      expect(goOn(events.slice(cut))).toEqual(observeAll(events.slice(cut)));
      expect(faults).toEqual([]);
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it("goes on under any other ladder, and with nothing but its rungs", () => {
    const ladders: Rung[][] = [["nudge"], ["block"], ["nudge", "stop"], ["nudge", "nudge", "block", "restart", "stop"]];
    const ladder = fc.constantFrom(...ladders);
    const counted = fc.option(fc.constant({ levels: { refused: 5, ended: 6 } } as const), { nil: {} });
    const property = fc.property(workStreams, fc.nat(40), ladder, ladder, counted, (events, cut, one, other, pace) => {
      const { guard, observeAll } = watched({ ladder: one, ...pace });
      observeAll(events.slice(0, cut));
      const snapshot = JSON.parse(JSON.stringify(guard.snapshot()));
      const { observeAll: goOn, faults } = watched({ ladder: other, ...pace, snapshot });

      for (const { action } of goOn(events.slice(cut))) {
        // A refusal that comes too late is a nudge, and a run that was ended stays so.
        expect(["continue", "nudge", "stop", ...other]).toContain(action);
      }
      expect(faults).toEqual([]);
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it("refuses nothing under a ladder of words, though the twin of the call was refused before", () => {
    const first = watched({ levels: { refused: 5, ended: 6 } });
    const look = [round, ...step("read_file", { path: "a" }, RECORD)];
    first.observeAll([...times(4, look), round]);
    expect(first.guard.observe(call("read_file", { path: "a" })).action).toBe("block");
    const { guard } = watched({
      levels: { refused: 5, ended: 6 },
      ladder: ["nudge"],
      snapshot: first.guard.snapshot(),
    });

    expect(guard.observe(call("read_file", { path: "a" })).action).toBe("continue");
  });

  it("keeps a change of the world that nothing has depended on yet", () => {
    const edit = step("edit", { path: "a.ts", old_string: "a", new_string: "b" }, "edited");
    const { guard, observeAll } = watched();
    observeAll([...times(2, edit), ...step("bash", { command: "make" }, "built")]);
    const { observeAll: goOn } = watched({ snapshot: guard.snapshot() });

    expect(goOn(edit).map(({ action }) => action)).toEqual(["continue", "continue"]);
  });

  it.each(["~0", "^0a", "~", "__proto__"])("knows the open call of the id %j again", (id) => {
    const { guard, observeAll } = watched();
    observeAll([...times(2, read), { ...read[0], id } as AgentEvent]);
    const { observeAll: goOn } = watched({ snapshot: JSON.parse(JSON.stringify(guard.snapshot())) });

    expect(goOn([{ ...read[1], id } as AgentEvent])[0]?.action).toBe("nudge");
  });

  it("changes nothing by being taken, however often", () => {
    const property = fc.property(fc.oneof(eventStreams, workStreams), (events) => {
      const { guard } = watched();
      const decisions = events.map((event) => {
        guard.snapshot();
        return guard.observe(event);
      });

      expect(decisions).toEqual(watched().observeAll(events));
    });
    // A snapshot after every event.
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 40) });
  });

  it("shares nothing with the guard", () => {
    const { guard, observeAll } = watched();
    observeAll(times(3, read));
    const snapshot = guard.snapshot();
    const before = JSON.stringify(snapshot);
    observeAll(times(3, read));

    expect(JSON.stringify(snapshot)).toBe(before);
  });

  it("keeps what was allowed and counted", () => {
    const { guard, observeAll } = watched();
    guard.allow(observeAll(times(3, read)).at(-1)!.finding!);
    const next = createGuard({ snapshot: guard.snapshot() });

    expect(next.stats()).toEqual(guard.stats());
    expect(new Set(times(6, read).map((event) => next.observe(event).action))).toEqual(new Set(["continue"]));
  });
});

describe("the shadow preset", () => {
  it("never acts, but reports what it sees", () => {
    const { observeAll } = watched({ preset: "shadow" });
    const decisions = observeAll(times(26, read));
    const reports = decisions.flatMap(({ explanation }) => /would (?:tell|refuse|end)/.exec(explanation ?? "") ?? []);

    expect(new Set(decisions.map(({ action }) => action))).toEqual(new Set(["continue"]));
    expect(new Set(reports)).toEqual(new Set(["would tell", "would refuse", "would end"]));
    expect(decisions.every(({ message, status }) => message === undefined && status === undefined)).toBe(true);
  });

  it("sees the first loop when the balanced preset does", () => {
    const balanced = watched()
      .observeAll(times(6, read))
      .findIndex(({ finding }) => finding !== undefined);
    const shadow = watched({ preset: "shadow" })
      .observeAll(times(6, read))
      .findIndex(({ finding }) => finding !== undefined);

    expect(shadow).toBe(balanced);
  });

  it("does not claim to have done anything", () => {
    for (const { explanation } of watched({ preset: "shadow" }).observeAll(times(26, read))) {
      expect(explanation ?? "").not.toMatch(/told it so|refused the|was stopped|starts over/);
    }
  });

  it("counts findings, and nothing as nudged, obeyed or ignored", () => {
    const { guard, observeAll } = watched({ preset: "shadow" });
    observeAll([...times(6, read), ...[0, 1, 2, 3, 4, 5, 6].flatMap(news)]);

    expect(guard.stats().findings["repeated-call"]).toBeGreaterThan(0);
    expect(guard.stats().decisions).toMatchObject({ nudge: 0, block: 0, restart: 0, stop: 0 });
    expect(guard.stats().nudges).toEqual({ obeyed: 0, ignored: 0 });
  });
});

describe("escalate", () => {
  const escalations = (decisions: readonly Decision[]) =>
    decisions
      .filter(({ action }) => action !== "continue")
      .map(({ action, escalate }: Decision & { escalate?: number }) => [action, escalate]);

  it("says how many words were ignored, from the third on, with everything that is done about the loop", () => {
    const decisions = escalations(watched().observeAll(times(26, read)));

    expect(decisions.slice(0, 4)).toEqual([
      ["nudge", undefined],
      ["nudge", undefined],
      ["nudge", undefined],
      ["block", 3],
    ]);
    expect(decisions.at(-1)).toEqual(["stop", 3]);
  });

  it("goes on where words are all there is", () => {
    const ignored = escalations(watched({ ladder: ["nudge"] }).observeAll(times(40, read))).map(([, times]) => times);

    expect(ignored).toEqual([undefined, undefined, undefined, 3, 4]);
  });

  it("is said of all the calls that are refused in one round", () => {
    const { observeAll } = watched();
    observeAll(times(9, [round, ...read]));
    const twins = observeAll([round, ...["a", "b"].map((id) => ({ ...read[0]!, id }) as AgentEvent)]);

    expect(escalations(twins)).toEqual([
      ["block", 3],
      ["block", 3],
    ]);
  });

  it("begins anew when the user has spoken", () => {
    const { observeAll } = watched();
    observeAll([...times(14, read), user("go on")]);

    expect(escalations(observeAll(times(3, read)))).toEqual([["nudge", undefined]]);
  });

  it("is not said where nothing is done", () => {
    const decisions = watched({ preset: "shadow" }).observeAll(times(26, read));

    expect(decisions.some((decision) => "escalate" in decision)).toBe(false);
  });
});

describe("events about which the agent was told nothing", () => {
  const untold = (events: readonly AgentEvent[]): AgentEvent[] => events.map((event) => ({ ...event, untold: true }));

  it("count, and are not answered: the next one is, with the first words", () => {
    const { observeAll } = watched(hasty);

    expect(observeAll(untold(times(9, read))).filter(({ action }) => action !== "continue")).toEqual([]);
    expect(observeAll(times(2, read)).map(({ action }) => action)).toEqual(["continue", "nudge", "continue", "nudge"]);
  });

  it("are not refused, whatever the rule for their tool", () => {
    const { observeAll } = watched({ rules: { read_file: { repeat: "never" } } });

    expect(observeAll(untold(times(2, read))).filter(({ action }) => action !== "continue")).toEqual([]);
    expect(observeAll(read)[0]?.action).toBe("block");
  });
});

describe("events until which the agent has heard nothing", () => {
  it.each([
    ["refused at once", 9],
    ["ended soon", 17],
  ])("begin with words again, in a run that would be %s", (_, laps) => {
    const { observeAll } = watched({});
    observeAll(times(laps, read));
    const [first, ...others] = times(12, read);
    const actions = observeAll([{ ...first!, unheard: true }, ...others]).map(({ action }) => action);

    expect(actions.indexOf("nudge")).toBeLessThan(actions.indexOf("block"));
    expect(actions.filter((action) => action === "block").length).toBeGreaterThan(0);
  });
});

/** The same events on a clock, so long after each other. */
function clocked(events: readonly AgentEvent[], gapsMs: readonly number[]): AgentEvent[] {
  let at = 0;
  return events.map((event, index) => {
    at += gapsMs[index % gapsMs.length]!;
    return event.type === "call" || event.type === "result" ? { ...event, at } : event;
  });
}

function fail(): never {
  throw new Error("a foreign fault");
}
