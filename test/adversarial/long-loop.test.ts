import { createGuard, type GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { call, failure, result, step, text } from "../builders.ts";
import { campaignSize } from "../campaign-size.ts";

const ROUNDS = campaignSize({ short: 3_000, full: 10_000 });
const EDITING = "a test that no edit makes pass";
const causes = ["no such file", "permission denied", "bad syntax", "connection refused", "unknown option"];

const loops: [string, (at: number) => AgentEvent[]][] = [
  ["the same call", () => step("read_file", { path: "a.ts" }, "export const a = 1;")],
  [
    "the same failure",
    () => [call("bash", { command: "make" }), failure("make: *** No rule to make target 'all'. Stop.")],
  ],
  ["two calls in turn", (at) => step("read_file", { path: at % 2 === 0 ? "a.ts" : "b.ts" }, at % 2 === 0 ? "a" : "b")],
  ["seven calls in turn", (at) => step("read_file", { path: `${at % 7}.ts` }, `file ${at % 7}`)],
  [
    "similar calls",
    (at) =>
      step("search", { query: `the retry policy of the http client, try ${at}` }, "Nothing was found. ".repeat(20)),
  ],
  ["failures of all kinds", (at) => [call("bash", { command: `./run --way ${at}` }), failure(causes[at % 5]!)]],
  ["one failure of many calls", (at) => [call(`tool_${at % 9}`, { way: at }), failure("Error: the server is gone")]],
  [
    EDITING,
    (at) => [
      call("bash", { command: "npm test" }),
      failure("1 failed: expected 2, got 3"),
      ...step("edit_file", { path: "a.ts", old_string: `${at}`, new_string: `${at + 1}` }, "done"),
    ],
  ],
  [
    "an edit and its reverse",
    (at) => step("edit_file", { path: "a.ts", old_string: at % 2 ? "x" : "y", new_string: at % 2 ? "y" : "x" }, "done"),
  ],
  ["words instead of work", () => [text("I will now begin with the task.")]],
  ["waiting for what never comes", () => step("bash", { command: "sleep 60 && cat build.log" }, "still compiling")],
];

interface Spoken {
  /** The round of the first word. */
  readonly first: number;
  /** By how much a silence was longer than all that had gone before it since the first word. */
  readonly overlong: number;
  /** The size of what is remembered, early and late. */
  readonly bytes: readonly number[];
}

function speechesOf(options: GuardOptions, loop: (at: number) => AgentEvent[]): Spoken {
  const guard = createGuard(options);
  const spoken: number[] = [];
  const bytes: number[] = [];
  for (let at = 0; at < ROUNDS; at++) {
    if (loop(at).some((event) => guard.observe(event).action !== "continue")) spoken.push(at);
    if (at === ROUNDS / 2 - 1 || at === ROUNDS - 1) bytes.push(JSON.stringify(guard.snapshot()).length);
  }
  const [first = -1] = spoken;
  const silences = spoken.map((at, place) => (spoken[place + 1] ?? ROUNDS) - at - (at - first));
  return { first, overlong: Math.max(...silences), bytes };
}

describe(`a loop of ${ROUNDS} rounds`, () => {
  it.each(loops)("of %s is told again before it has gone on for twice as long, and memory stays flat", (_, loop) => {
    const { first, overlong, bytes } = speechesOf({}, loop);

    expect(first).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThan(40);
    expect(overlong).toBeLessThanOrEqual(16);
    expect(bytes[1]).toBeLessThan(bytes[0]! * 1.25 + 1000);
  });

  it.each(loops)("of %s is told again before it has gone on for twice as long in an attended run", (_, loop) => {
    expect(speechesOf({ attended: true }, loop).overlong).toBeLessThanOrEqual(16);
  });

  // New edits are progress: whoever makes them is told, and never ended.
  it.each(loops.filter(([name]) => name !== EDITING))("of %s is ended", (_, loop) => {
    const guard = createGuard();
    const ends = Array.from({ length: 400 }, (_, at) => loop(at)).findIndex((events) =>
      events.some((event) => guard.observe(event).action === "stop"),
    );

    expect(ends).toBeGreaterThan(0);
  });

  it("is stopped for ever once it was stopped, where the host does not listen", () => {
    const guard = createGuard();
    const actions = Array.from({ length: 200 }, () => {
      const before = guard.observe(call("read_file", { path: "a.ts" })).action;
      if (before === "continue") return guard.observe(result("export const a = 1;")).action;
      guard.observe(result("refused", { synthetic: true }));
      return before;
    });
    const stopped = actions.indexOf("stop");

    expect(stopped).toBeGreaterThan(0);
    expect(new Set(actions.slice(stopped))).toEqual(new Set(["stop"]));
  });
});
