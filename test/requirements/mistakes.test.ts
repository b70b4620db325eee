import { readFileSync } from "node:fs";
import { type AgentEvent, createGuard, type GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";
import { createHostRuns } from "../../packages/doomloop/src/host/host-runs.ts";
import { call, result, round, step, times } from "../builders.ts";

/** What a mistake is told: what is thrown at construction, or goes to `onFault` later. */
type Mistake = (onFault: (fault: unknown) => void) => void;

const made =
  (options: object): Mistake =>
  (onFault) =>
    void createGuard({ onFault, ...options } as GuardOptions);

const observed =
  (...events: unknown[]): Mistake =>
  (onFault) => {
    const guard = createGuard({ onFault });
    for (const event of events) guard.observe(event as AgentEvent);
  };

const looping =
  (options: object): Mistake =>
  (onFault) => {
    const guard = createGuard({ onFault, ...options } as GuardOptions);
    for (const event of times(4, [round, ...step("read_file", { path: "a" }, "x".repeat(300))])) guard.observe(event);
  };

const search = call("search", { q: "x" });
const answered = (fields: object): Mistake => observed(search, { type: "result", ...fields });
const wired =
  (options: object): Mistake =>
  (onFault) => {
    const runs = createHostRuns({ onFault, ...options }, { nudge: "result", block: true, stop: "clean" });
    for (const thread of ["one", "two"]) runs.of(thread);
  };

const takingTurns = Array.from({ length: 20 }, (_, at) => [
  round,
  call("search", { q: "x" }, { id: `${at}` }),
  ...(at === 0 ? [] : [result("none", { id: `${at - 1}` })]),
]).flat();

/** The mistakes of the table in docs/guard.md, by its first column, and those of the list below. */
const MISTAKES: Readonly<Record<string, Mistake>> = {
  '`createGuard({ preset: "strict" })`': made({ preset: "strict" }),
  '`createGuard({ presets: "shadow" })`': made({ presets: "shadow" }),
  '`createGuard({ rules: ["search"] })`': made({ rules: ["search"] }),
  "`createGuard({ rules: { search: { treshold: 2 } } })`": made({ rules: { search: { treshold: 2 } } }),
  "`createGuard({ rules: { search: { ingore: true } } })`": made({ rules: { search: { ingore: true } } }),
  '`createGuard({ detectors: { "repeated-cal": {} } })`': made({ detectors: { "repeated-cal": {} } }),
  '`createGuard({ detectors: { "repeated-call": { threshold: "2" } } })`': made({
    detectors: { "repeated-call": { threshold: "2" } },
  }),
  '`createGuard({ ladder: "nudge" })`': made({ ladder: "nudge" }),
  '`createGuard({ ladder: ["block", "nudge"] })`': made({ ladder: ["block", "nudge"] }),
  '`createGuard({ patienceMs: "30m" })`': made({ patienceMs: "30m" }),
  '`createGuard({ onDecision: "log" })`': made({ onDecision: "log" }),
  '`createGuard({ onDecision: () => "block" })`': looping({ onDecision: () => "block" }),
  '`createGuard({ onDecision: async () => ({ action: "stop" }) })`': looping({
    onDecision: async () => ({ action: "stop" }),
  }),
  "`createGuard({ snapshot: { version: 99 } })`": made({ snapshot: { version: 99 } }),
  '`guard.observe("call")`': observed("call"),
  '`guard.observe({ type: "tool_call", tool, args })`': observed({ type: "tool_call", tool: "search", args: {} }),
  '`guard.observe({ type: "call", name, arguments })`': observed({ type: "call", name: "search", arguments: {} }),
  '`guard.observe({ type: "call", tool, arguments })`': observed({ type: "call", tool: "search", arguments: {} }),
  '`guard.observe({ type: "call", tool, args, at: new Date() })`': observed({ ...search, at: new Date(0) }),
  '`guard.observe({ type: "call", tool, args, at: Date.now() * 1000 })`': observed({
    ...search,
    at: Date.now() * 1000,
  }),
  "a clock by which eight calls in a row take minutes, and so do the pauses between them": observed(
    ...Array.from({ length: 12 }, (_, at) => [
      call("look", { at }, { id: `${at}`, at: at * 4_000_000 }),
      result(`${at}`, { id: `${at}`, at: at * 4_000_000 + 300_000 }),
    ]).flat(),
  ),
  '`guard.observe({ type: "result", result: "none" })`': answered({ result: "none" }),
  '`guard.observe({ type: "result", output: runTool() })`, without `await`': answered({ output: Promise.resolve("x") }),
  '`guard.observe({ type: "result", output, error: new Error() })`': answered({ output: "x", error: new Error("x") }),
  '`guard.observe({ type: "result", output: new Response() })`, the third time': observed(
    ...[1, 2, 3].flatMap(() => [search, { type: "result", output: new Response("x") }]),
  ),
  "three results whose `id` fits no call, and none ever did; later, twelve in a row": observed(
    ...[1, 2, 3].flatMap((at) => [call("search", { at }, { id: `a${at}` }), result("x", { id: `b${at}` })]),
  ),
  "17 keys of `state`": observed(
    ...Array.from({ length: 17 }, (_, at) => ({ type: "state", key: `key ${at}`, value: at })),
  ),
  "an adapter with `{ onStpo }`": wired({ onStpo: () => undefined }),
  "one `round` event for a whole task, and 100 calls in it": observed(
    round,
    ...Array.from({ length: 120 }, (_, at) => step("look", { at }, `${at}`)).flat(),
  ),
  '`createGuard({ rules: { pay: { ignore: true, repeat: "never" } } })`': made({
    rules: { pay: { ignore: true, repeat: "never" } },
  }),
  '`rules: { pay: { repeat: "never", identity: ["ordr"] } }`, and a call with `order`': (onFault) => {
    const guard = createGuard({ onFault, rules: { pay: { repeat: "never", identity: ["ordr"] } } });
    guard.observe(call("pay", { order: 1 }));
  },
  "the `round` events of runs that take turns, or ids that count up and start over again and again, in one guard":
    observed(...takingTurns),
  "an adapter that names two threads, or begins a third conversation, with one `guard`": wired({
    guard: createGuard(),
  }),
};

/** What is told of mistakes that the page leaves out. */
const LEFT_OUT: readonly (readonly [mistake: string, told: string])[] = [
  ['`createGuard({ rules: ["search"] })`', "rules: an object is required, got a list"],
  [
    "`createGuard({ rules: { search: { ingore: true } } })`",
    'rules["search"].ingore: there is no such option; did you mean ignore?',
  ],
  [
    '`createGuard({ detectors: { "repeated-cal": {} } })`',
    "detectors.repeated-cal: there is no such option; did you mean repeated-call?",
  ],
  [
    '`createGuard({ detectors: { "repeated-call": { threshold: "2" } } })`',
    "repeated-call: threshold: an integer of at least 2 is required, got 2",
  ],
  ['`createGuard({ onDecision: "log" })`', 'onDecision: a function is required, got "log"'],
  ['`guard.observe("call")`', "observe: an event is required, got string"],
  ['`guard.observe({ type: "call", name, arguments })`', 'call: "name" is not a known field; did you mean "tool"?'],
  [
    '`guard.observe({ type: "call", tool, args, at: Date.now() * 1000 })`',
    "call: at must be milliseconds, got a time after the year 5000; is it in microseconds?",
  ],
  [
    '`guard.observe({ type: "result", result: "none" })`',
    'result: "result" is not a known field; did you mean "output"?',
  ],
  [
    '`guard.observe({ type: "result", output, error: new Error() })`',
    "result: error must be true or false, got an object",
  ],
  ["17 keys of `state`", "state: 16 keys are compared; the others are ignored"],
  ["an adapter with `{ onStpo }`", "onStpo: there is no such option; did you mean onStop?"],
  [
    "an adapter that names two threads, or begins a third conversation, with one `guard`",
    "guard: one guard watches one run, but several runs use it; pass options or createGuard instead",
  ],
];

/** The rows of the table on the page. */
const ROWS = readFileSync("docs/guard.md", "utf8")
  .split("## Mistakes, and what the library says")[1]!
  .split("\n## ")[0]!
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| mistake") && !line.startsWith("|---"))
  .map((line) => line.slice(2, -2).split(" | ") as [mistake: string, told: string]);

describe("the table of mistakes", () => {
  it("has the mistakes that are made here, and at least twenty", () => {
    expect([...ROWS, ...LEFT_OUT].map(([mistake]) => mistake).sort()).toEqual(Object.keys(MISTAKES).sort());
    expect(ROWS.length).toBeGreaterThanOrEqual(20);
  });

  it.each([...ROWS, ...LEFT_OUT])("says what is told of %s", (mistake, told) => {
    const heard: string[] = [];
    const hear = (fault: unknown): void => void heard.push((fault as Error).message);
    try {
      MISTAKES[mistake]!(hear);
    } catch (error) {
      hear(error);
    }

    expect(heard[0]).toBe(told);
  });
});
