import { createGuard, type FleetMember, type GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { memberOf } from "../../packages/doomloop/src/fleet/fleet-evidence.ts";
import { call, failure, step, times } from "../builders.ts";

const events: AgentEvent[] = [
  ...times(6, step("read_file", { path: "a.ts" }, "export const a = 1;")),
  ...times(4, [call("bash", { command: "make" }), failure("make: *** No rule to make target 'all'.")]),
  ...times(4, step("search", { query: "where is it?" }, "nowhere")),
];
const broken = (): never => {
  throw new Error("a fault of the host's");
};

function run(options: GuardOptions): { actions: string[]; faults: unknown[]; counted: number } {
  const faults: unknown[] = [];
  const guard = createGuard({ ...options, onFault: (fault) => void faults.push(fault) });
  const actions = events.map((event) => guard.observe(event).action);
  return { actions, faults, counted: guard.stats().faults };
}

const untroubled = run({});
const fleet = (member: Partial<FleetMember>): GuardOptions => ({
  fleet: memberOf({ world: "here", report() {}, verdict: () => undefined, ...member }),
});

describe("a fault in", () => {
  it.each<[string, GuardOptions]>([
    ["onDecision", { onDecision: broken }],
    ["the fleet's report", fleet({ report: broken })],
    ["the fleet's verdict", fleet({ verdict: broken })],
    ["a rule's ignore", { rules: { read_file: { ignore: broken } } }],
    ["a rule's identity", { rules: { read_file: { identity: broken } } }],
    [
      "everything at once",
      {
        onDecision: broken,
        ...fleet({ report: broken, verdict: broken }),
        rules: { search: { ignore: broken, identity: broken } },
      },
    ],
  ])("%s changes no decision, and is told once", (_, options) => {
    const { actions, faults } = run(options);

    expect(actions).toEqual(untroubled.actions);
    expect(faults).toEqual([new Error("a fault of the host's")]);
  });

  it("onFault itself is nobody's", () => {
    const guard = createGuard({ onDecision: broken, onFault: broken });

    expect(events.map((event) => guard.observe(event).action)).toEqual(untroubled.actions);
  });

  it("a rule does not leave half of a value written for the next call", () => {
    const identity = (args: unknown): unknown => ((args as { path?: string }).path === "bad" ? broken() : args);
    const guard = createGuard({ rules: { read_file: { identity } } });
    step("read_file", { path: "bad" }, "fine").forEach((event) => void guard.observe(event));
    const actions = times(3, step("read_file", { path: "good" }, "fine")).map((event) => guard.observe(event).action);

    expect(actions.at(-1)).toBe("nudge");
  });
});

describe("what callbacks return", () => {
  it.each([[null], [0], ["stop"], [[]], [{}], [{ action: "explode" }]])(
    "is no decision if it is %j, and changes none",
    (value) => {
      const { actions } = run({ onDecision: () => value as never });

      expect(actions).toEqual(untroubled.actions);
    },
  );

  it.each([null, 0, "x", {}, { calls: "many" }, { calls: Number.NaN, workers: 1, windowMs: 1 }])(
    "is no verdict of a fleet if it is %j",
    (value) => {
      const { actions } = run(fleet({ verdict: () => value as never }));

      expect(actions).toEqual(untroubled.actions);
    },
  );

  it.each([Symbol("s"), () => 1, new (class Thing {})(), undefined, Number.NaN])(
    "is no identity if it cannot be compared (%s)",
    (value) => {
      expect(run({ rules: { read_file: { identity: () => value } } }).faults).toEqual([]);
    },
  );

  it("may be a promise, which nobody waits for", () => {
    const { actions, faults } = run({ onDecision: (() => Promise.resolve({ action: "stop" })) as never });

    expect(actions).toEqual(untroubled.actions);
    expect(faults.length).toBeLessThanOrEqual(1);
  });
});

describe("events that are none", () => {
  const none: unknown[] = [
    null,
    undefined,
    0,
    "call",
    [],
    {},
    { type: "unknown" },
    { type: "__proto__" },
    { type: "call" },
    { type: "call", tool: 7 },
    { type: "call", tool: null, args: {} },
    { type: "call", tool: "read_file", id: {} },
    { type: "call", tool: "read_file", at: "now" },
    { type: "call", tool: "read_file", at: Number.NaN },
    { type: "result" },
    { type: "result", id: 3 },
    { type: "result", length: -1, digest: {} },
    { type: "result", length: Number.NaN },
    { type: "text" },
    { type: "text", text: 3 },
    { type: "reasoning", text: null },
    { type: "user", text: {} },
    { type: "state" },
    { type: "state", key: Symbol("s"), value: 1 },
    new Proxy({}, { get: broken }),
    Object.defineProperty({}, "type", { get: broken }),
  ];

  it.each(none.map((event) => [event]))("never make a guard throw (%#)", (event) => {
    const guard = createGuard();

    expect(guard.observe(event as never)).toEqual({ action: "continue" });
    expect(guard.peek(event as never)).toEqual({ action: "continue" });
  });

  it("leave a guard that works", () => {
    const guard = createGuard();
    none.forEach((event) => void guard.observe(event as never));

    expect(
      times(3, step("read_file", { path: "b.ts" }, "fine"))
        .map((event) => guard.observe(event).action)
        .at(-1),
    ).toBe("nudge");
    expect(() => JSON.stringify(guard.snapshot())).not.toThrow();
  });

  it("leave what was counted before", () => {
    const guard = createGuard();
    times(2, step("read_file", { path: "b.ts" }, "fine")).forEach((event) => void guard.observe(event));
    [null, undefined, {}, [], { type: "unknown" }, { type: "call" }].forEach(
      (event) => void guard.observe(event as never),
    );

    expect(
      step("read_file", { path: "b.ts" }, "fine")
        .map((event) => guard.observe(event).action)
        .at(-1),
    ).toBe("nudge");
  });
});
