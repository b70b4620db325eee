import type { AgentEvent } from "doomloop";
import type { CountRules } from "doomloop/counting";
import { describe, expect, it } from "vitest";
import {
  actionsOf,
  call,
  createGuard,
  decisionsOf,
  failure,
  type GuardConfig,
  result,
  step,
  times,
  user,
} from "../builders.ts";
import { callWindow } from "./profiles.ts";

const search = call("search", { query: "owner of invoice" });

/** Calls that differ from each other and from all others. */
function others(count: number): AgentEvent[] {
  return Array.from({ length: count }, (_, page) => call("open_page", { page }));
}

function placesOf(events: readonly AgentEvent[], options: GuardConfig = callWindow): number[] {
  const guard = createGuard({ ...options, onFault: () => undefined });
  return events.flatMap((event, at) => (guard.observe(event).action === "continue" ? [] : [at]));
}

/** A run, and where the profile speaks in it. */
type Case = readonly [title: string, events: readonly AgentEvent[], places: readonly number[], counts?: CountRules];

describe("document 002: the window", () => {
  it("finds the third equal call", () => {
    expect(decisionsOf(times(3, [search]), callWindow)).toMatchObject([
      { at: 2, action: "stop", finding: { kind: "repeated-call", count: 3 } },
    ]);
  });

  it.for<Case>([
    ["two equal calls", times(2, [search]), []],
    ["calls that do not follow each other", [search, ...others(5), search, ...others(7), search], [14]],
    ["the first of twenty calls", [search, search, ...others(17), search], [19]],
    ["not the first of twenty-one calls", [search, search, ...others(18), search], []],
    ["up to another threshold", times(5, [search]), [4], { repeats: 5, within: 20 }],
    ["within another window", [search, search, ...others(3), search], [5], { repeats: 3, within: 6 }],
    ["nothing before another window", [search, search, ...others(4), search], [], { repeats: 3, within: 6 }],
  ])("counts %s", ([, events, places, counts = callWindow.counts]) => {
    expect(placesOf(events, { ...callWindow, counts })).toEqual(places);
  });
});

describe("document 002: intent, not outcome", () => {
  const change = step("edit_file", { path: "a.py", line: 1 }, "ok");
  const answers = [1, 2, 3].flatMap((answer) => [search, result(`answer ${answer}`)]);

  it.for<Case>([
    ["before the call runs", times(3, [search, result("nothing")]), [4]],
    ["with different results", answers, [4]],
    ["whether they fail or not", [search, result("fine"), search, failure("timed out"), search], [4]],
    ["between which something was changed or said", [search, ...change, search, user("go on"), search], [5]],
    ["of one answer, one by one", ["1", "2", "3"].map((id) => call("search", { query: "x" }, { id })), [2]],
  ])("counts equal calls %s", ([, events, places]) => expect(placesOf(events)).toEqual(places));
});

describe("document 002: identity", () => {
  class Connection {}
  const three = (args: readonly unknown[]) => args.map((each) => call("query", each));

  it.for<Case>([
    [
      "does not mind the order of arguments",
      three([
        { a: 1, b: { c: 2, d: 3 } },
        { b: { d: 3, c: 2 }, a: 1 },
        { b: { c: 2, d: 3 }, a: 1 },
      ]),
      [2],
    ],
    ["minds the tool", ["a", "b", "c"].map((tool) => call(tool, { x: 1 })), []],
    ["minds the order of a list", three([{ x: [1, 2] }, { x: [2, 1] }, { x: [1, 2] }]), []],
    ["compares dates", times(3, [call("query", { since: new Date(86_400_000) })]), [2]],
    ["compares big integers", times(3, [call("query", { since: 12_345_678_901_234_567_890n })]), [2]],
    ["compares sets", three([1, 2, 3].map(() => ({ since: new Set(["a", "b"]) }))), [2]],
    ["compares maps", three([1, 2, 3].map(() => ({ since: new Map([["a", 1]]) }))), [2]],
    ["compares bytes", three([1, 2, 3].map(() => ({ since: new Uint8Array([1, 2, 3]) }))), [2]],
    [
      "does not count what cannot be compared",
      three([1, 2, 3, 4].map(() => ({ on: new Connection(), run: () => 1 }))),
      [],
    ],
  ])("%s", ([, events, places]) => expect(placesOf(events)).toEqual(places));
});

describe("document 002: in an agent loop", () => {
  /** The loop that the document shows: all calls of a turn are recorded and run, then the loop is left if it is stuck. */
  function agentLoop(turns: readonly (readonly { tool: string; args: unknown }[])[]): { turns: number; calls: number } {
    const guard = createGuard(callWindow);
    let calls = 0;
    for (const [turn, wanted] of turns.entries()) {
      if (wanted.length === 0) return { turns: turn, calls };
      let isStuck = false;
      for (const { tool, args } of wanted) {
        isStuck = guard.observe(call(tool, args)).action === "stop" || isStuck;
        guard.observe(result(`result ${++calls}`));
      }
      if (isStuck) return { turns: turn + 1, calls };
    }
    return { turns: turns.length, calls };
  }

  const same = { tool: "list_files", args: { folder: "/" } };
  const other = (page: number) => ({ tool: "open_page", args: { page } });

  it("leaves the loop after the turn in which the agent is stuck", () => {
    expect(
      agentLoop([
        [same, other(1)],
        [same, other(2)],
        [same, other(3)],
        [same, other(4)],
      ]),
    ).toEqual({ turns: 3, calls: 6 });
  });

  it("leaves the loop alone while the agent gets on", () => {
    expect(agentLoop([[other(1)], [other(2)], [same], [other(3)], []])).toEqual({ turns: 4, calls: 4 });
  });

  it("forgets all calls on reset", () => {
    const guard = createGuard(callWindow);
    const actions = (count: number) => times(count, [search]).map((event) => guard.observe(event).action);

    expect(actions(2)).toEqual(["continue", "continue"]);
    guard.reset();
    expect(actions(3)).toEqual(["continue", "continue", "stop"]);
  });

  it("keeps agents apart that each have a detector of their own", () => {
    const guards = [createGuard(callWindow), createGuard(callWindow), createGuard(callWindow)];

    expect(guards.map((guard) => guard.observe(search).action)).toEqual(["continue", "continue", "continue"]);
  });
});

describe("document 002: the gap that it knows of", () => {
  const variants = [
    "find -name a.ts",
    "find -name 'a.ts'",
    "find . -name a.ts",
    'find . -name "a.ts"',
    "find ./ -name a.ts",
  ];
  const run = variants.flatMap((command) =>
    step("bash", { command }, "find: no match for the name: No such file", { error: true }),
  );

  it("does not find variants of one call by equality", () => {
    expect(actionsOf(run, callWindow)).toEqual([]);
  });

  it("is closed by default: variants of one call that come to the same are found", () => {
    expect(actionsOf(run).length).toBeGreaterThan(0);
  });
});
