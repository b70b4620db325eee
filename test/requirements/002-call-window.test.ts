import type { AgentEvent } from "doomloop";
import { describe, expect, it } from "vitest";
import { actionsOf, call, createGuard, decisionsOf, failure, result, step, times, user } from "../builders.ts";
import { callWindow } from "./profiles.ts";

const search = call("search", { query: "owner of invoice" });

/** Calls that differ from each other and from all others. */
function others(count: number): AgentEvent[] {
  return Array.from({ length: count }, (_, page) => call("open_page", { page }));
}

function placesOf(events: readonly AgentEvent[], options = callWindow): number[] {
  return decisionsOf(events, options).map(({ at }) => at);
}

describe("document 002: the window", () => {
  it("finds the third equal call", () => {
    expect(decisionsOf(times(3, [search]), callWindow)).toMatchObject([
      { at: 2, action: "stop", finding: { kind: "repeated-call", count: 3 } },
    ]);
  });

  it("does not find the second", () => {
    expect(placesOf(times(2, [search]))).toEqual([]);
  });

  it("counts calls that do not follow each other", () => {
    expect(placesOf([search, ...others(5), search, ...others(7), search])).toEqual([14]);
  });

  it("counts the first of twenty calls", () => {
    expect(placesOf([search, search, ...others(17), search])).toEqual([19]);
  });

  it("does not count the first of twenty-one calls", () => {
    expect(placesOf([search, search, ...others(18), search])).toEqual([]);
  });

  it("takes another threshold", () => {
    expect(placesOf(times(5, [search]), { ...callWindow, counts: { repeats: 5, within: 20 } })).toEqual([4]);
  });

  it("takes another window", () => {
    const options = { ...callWindow, counts: { repeats: 3, within: 6 } };

    expect(placesOf([search, search, ...others(3), search], options)).toEqual([5]);
    expect(placesOf([search, search, ...others(4), search], options)).toEqual([]);
  });
});

describe("document 002: intent, not outcome", () => {
  it("decides before the call runs", () => {
    const run = times(3, [search, result("nothing")]);

    expect(placesOf(run)).toEqual([4]);
  });

  it("counts calls with different results", () => {
    expect(placesOf([1, 2, 3].flatMap((answer) => step("search", { query: "x" }, `answer ${answer}`)))).toEqual([4]);
  });

  it("counts calls whether they fail or not", () => {
    expect(placesOf([search, result("fine"), search, failure("timed out"), search])).toEqual([4]);
  });

  it("counts calls between which something was changed or said", () => {
    const change = step("edit_file", { path: "a.py", line: 1 }, "ok");

    expect(placesOf([search, ...change, search, user("go on"), search])).toEqual([5]);
  });

  it("counts equal calls of one answer one by one", () => {
    const batch = ["1", "2", "3"].map((id) => call("search", { query: "x" }, { id }));

    expect(placesOf(batch)).toEqual([2]);
  });
});

describe("document 002: identity", () => {
  it("does not mind the order of arguments, at any depth", () => {
    const calls = [
      call("query", { a: 1, b: { c: 2, d: 3 } }),
      call("query", { b: { d: 3, c: 2 }, a: 1 }),
      call("query", { b: { c: 2, d: 3 }, a: 1 }),
    ];

    expect(placesOf(calls)).toEqual([2]);
  });

  it("minds the tool", () => {
    expect(placesOf([call("a", { x: 1 }), call("b", { x: 1 }), call("c", { x: 1 })])).toEqual([]);
  });

  it("minds the order of a list", () => {
    expect(placesOf([call("a", { x: [1, 2] }), call("a", { x: [2, 1] }), call("a", { x: [1, 2] })])).toEqual([]);
  });

  it.each([
    ["dates", () => new Date(86_400_000)],
    ["big integers", () => 12_345_678_901_234_567_890n],
    ["sets", () => new Set(["a", "b"])],
    ["maps", () => new Map([["a", 1]])],
    ["bytes", () => new Uint8Array([1, 2, 3])],
  ])("compares %s, which JSON does not know", (_, value) => {
    expect(placesOf([1, 2, 3].map(() => call("query", { since: value() })))).toEqual([2]);
  });

  it("does not break on values that cannot be compared, and does not count them", () => {
    class Connection {}
    const placesOf = (events: readonly AgentEvent[]): unknown[] => {
      const guard = createGuard({ ...callWindow, onFault: () => undefined });
      return events.filter((event) => guard.observe(event).action !== "continue");
    };

    expect(placesOf([1, 2, 3, 4].map(() => call("query", { connection: new Connection(), run: () => 1 })))).toEqual([]);
  });
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
