import { createGuard, type GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { call, failure, result, step, text } from "../builders.ts";

const ROUNDS = 10_000;
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
    "a test that no edit makes pass",
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

/** The longest stretch of rounds without a word, after the first word. */
function longestSilence(
  options: GuardOptions,
  loop: (at: number) => AgentEvent[],
): { silence: number; first: number; bytes: number[] } {
  const guard = createGuard(options);
  let first = -1;
  let last = 0;
  let silence = 0;
  const bytes: number[] = [];
  for (let at = 0; at < ROUNDS; at++) {
    const spoke = loop(at).some((event) => guard.observe(event).action !== "continue");
    if (spoke) {
      if (first < 0) first = at;
      else silence = Math.max(silence, at - last);
      last = at;
    }
    if (at === 499 || at === ROUNDS - 1) bytes.push(JSON.stringify(guard.snapshot()).length);
  }
  return { silence: Math.max(silence, ROUNDS - last), first, bytes };
}

describe("a loop of ten thousand rounds", () => {
  it.each(loops)("of %s is never met with silence, and memory stays flat", (_, loop) => {
    const { silence, first, bytes } = longestSilence({}, loop);

    expect(first).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThan(40);
    expect(silence).toBeLessThanOrEqual(16);
    expect(bytes[1]).toBeLessThan(bytes[0]! * 1.25 + 1000);
  });

  it.each(loops)("of %s is never met with silence in an attended run", (_, loop) => {
    expect(longestSilence({ attended: true }, loop).silence).toBeLessThanOrEqual(16);
  });

  it("is stopped for ever once it was stopped, where the host does not listen", () => {
    const guard = createGuard();
    const actions = Array.from({ length: 200 }, () => {
      const before = guard.observe(call("read_file", { path: "a.ts" })).action;
      if (before === "continue") return guard.observe(result("export const a = 1;")).action;
      guard.observe(result("refused", { synthetic: true }));
      return before;
    });

    expect(new Set(actions.slice(5))).toEqual(new Set(["stop"]));
  });
});
