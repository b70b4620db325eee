import fc from "fast-check";
import { expect, it } from "vitest";
import { call, failure, result, round, step, text, times, user } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import type { AgentEvent } from "../../core/event.ts";

import type { GuardConfig } from "../../counting/configured-guard.ts";
import { createCallIndices, replayRun } from "./replay-run.ts";

/** Reports only equal calls, from the third on, and always with a nudge. Other detectors do not matter here. */
const OPTIONS: GuardConfig = {
  detectors: {
    "repeated-call": { threshold: 3 },
    "call-cycle": false,
    "similar-call": false,
    "same-outcome": false,
    "test-fix": false,
    "failure-streak": false,
    stalled: false,
  },
  ladder: ["nudge"],
};

const LONG = "the same long answer ".repeat(20);
const look = step("read_file", { path: "a.ts" }, LONG);

function callsAt(events: readonly AgentEvent[], options: GuardConfig = OPTIONS): number[] {
  return replayRun(events, options).decisions.map((decision) => decision.call);
}

it("returns each decision with its call", () => {
  const { calls, decisions, badEvents, faults } = replayRun(times(3, look), OPTIONS);

  expect(decisions).toEqual([
    { call: 2, action: "nudge", kind: "repeated-call", confidence: expect.any(Number), tools: ["read_file"] },
  ]);
  expect({ calls, badEvents, faults }).toEqual({ calls: 3, badEvents: 0, faults: 0 });
});

it("takes the opinions of a recording as they were given", () => {
  const mails = times(40, step("send_mail", { to: "kim", text: "Where is it?" }, "sent"));
  const answered: AgentEvent[] = [
    ...mails.slice(0, 6),
    { type: "opinion", question: 1, verdict: "working" },
    ...mails.slice(6),
  ];
  const firstOf = (events: readonly AgentEvent[]) =>
    replayRun(events).decisions.find(({ action }) => action === "nudge")!.call;

  expect(firstOf(answered)).toBeGreaterThan(firstOf(mails) + 4);
});

it("returns no decisions for a healthy run", () => {
  const events = [1, 2, 3].flatMap((page) => step("read_page", { page }, `page ${page}`));

  expect(replayRun(events, OPTIONS)).toEqual({ calls: 3, decisions: [], badEvents: 0, faults: 0 });
});

it("continues the recorded run whatever is decided", () => {
  const options: GuardConfig = { ...OPTIONS, ladder: ["stop"] };
  const { calls, decisions } = replayRun(times(8, look), options);

  expect(calls).toBe(8);
  expect(decisions.filter((decision) => decision.action === "stop").length).toBeGreaterThan(1);
});

it("counts calls that the guard ignores", () => {
  const events = [...times(4, step("ls", {}, "a")), ...times(3, look)];

  expect(callsAt(events, { ...OPTIONS, rules: { ls: { ignore: true } } })).toEqual([6]);
});

it("assigns a decision to the call whose result caused it", () => {
  const read = (id: string) => call("read_file", { path: "a.ts" }, { id });
  const late = [...times(2, look), read("late"), call("ls", {}, { id: "other" })];

  expect(callsAt([...late, result(LONG, { id: "late" }), result("x", { id: "other" })])).toEqual([2]);
});

it("assigns a decision on text to the call before it", () => {
  const talk: AgentEvent = { type: "text", text: "I will now look at the file." };
  const options: GuardConfig = { detectors: { "text-only": { threshold: 2 } } };

  expect(callsAt([...look, ...look, ...times(3, [talk])], options)[0]).toBe(1);
  expect(callsAt(times(3, [talk]), options)[0]).toBe(0);
});

it("reports the findings of a preset that never acts", () => {
  const { decisions } = replayRun(times(3, look), { ...OPTIONS, preset: "shadow" });

  expect(decisions.map(({ call: at, action, kind }) => ({ at, action, kind }))).toEqual([
    { at: 2, action: "continue", kind: "repeated-call" },
  ]);
});

it.each([
  ["null", null],
  ["a text", "call"],
  ["a list", []],
  ["an object without a type", { tool: "ls" }],
  ["an object whose type is a number", { type: 1 }],
])("skips %s among the events, and still finds the loop", (_title, bad) => {
  const event = bad as unknown as AgentEvent;
  const { decisions, badEvents, faults } = replayRun([...look, event, ...look, event, ...look], OPTIONS);

  expect(decisions.map((decision) => decision.call)).toEqual([2]);
  expect({ badEvents, faults }).toEqual({ badEvents: 2, faults: 0 });
});

it.each([
  ["a call without a tool", { type: "call" }],
  ["a result of no call", { type: "result", id: "nobody", output: "x" }],
  ["a text that is none", { type: "text", text: 1 }],
  ["a state without a key", { type: "state" }],
  ["a type that nobody knows", { type: "dance" }],
])("survives %s", (_title, bad) => {
  const events = [
    bad as unknown as AgentEvent,
    ...times(3, [call("read_file", { path: "a.ts" }, { id: "x" }), failure("no such file")]),
  ];

  expect(replayRun(events, OPTIONS).faults).toBe(0);
});

it("throws for invalid options", () => {
  expect(() => replayRun([], { ladder: [] })).toThrow("ladder: at least one rung is required");
});

function indicesOf(events: readonly AgentEvent[]): number[] {
  const indices = createCallIndices();
  return events.map((event) => indices.indexOf(event));
}

const callWith = (id: string) => call("read", {}, { id });
const resultOf = (id: string) => result("ok", { id });

it.each([
  ["takes an empty id for none", [callWith(""), callWith(""), resultOf(""), resultOf("")], [0, 1, 0, 1]],
  [
    "puts everything else after the latest call",
    [text("hm"), call("a"), call("b"), round, user("go on")],
    [0, 0, 1, 1, 1],
  ],
])("%s", (_title, events, indices) => {
  expect(indicesOf(events)).toEqual(indices);
});

it("answers each call at most once", () => {
  const id = fc.constantFrom("x", "y", undefined);
  const event = fc.oneof(
    id.map((own) => call("a", {}, { id: own })),
    id.map((own) => result("", { id: own })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const indices = createCallIndices();
      const open = new Map<number, string | undefined>();
      for (const each of events) {
        const before = indices.count;
        const index = indices.indexOf(each);
        if (each.type === "call") {
          expect(index).toBe(before);
          open.set(index, each.id);
          continue;
        }
        const fitting = [...open].filter(([, own]) => each.id === undefined || own === each.id);
        const wanted = each.id === undefined ? fitting[0] : fitting.at(-1);
        expect(index).toBe(wanted?.[0] ?? Math.max(0, indices.count - 1));
        if (wanted !== undefined) open.delete(wanted[0]);
      }
    }),
    { numRuns: propertyRuns() },
  );
});
