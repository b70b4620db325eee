import { expect, it } from "vitest";
import { call, newRun, seenStepsOf, step } from "../../../../../test/builders.ts";
import type { OpenCall } from "./run-memory.ts";

function open(tool: string, args: unknown): OpenCall {
  const effect = newRun().take(call(tool, args));
  if (effect.kind !== "call") throw new Error("no call");
  return effect.open;
}
const keyOf = (args: unknown, tool = "read_file") => open(tool, args).call.call;
const subjectOf = (args: unknown, tool = "read_file") => open(tool, args).call.subject;

it.each<[boolean, string, unknown, unknown]>([
  [true, "a reason", { path: "a", reason: "to see" }, { path: "a", reason: "to look" }],
  [true, "a time limit", { path: "a", timeout: 5 }, { path: "a", timeout: 50 }],
  [true, "a request id", { path: "a", request_id: "1" }, { path: "a", request_id: "2" }],
  [true, "an attempt", { path: "a", attempt: 1 }, { path: "a", attempt: 2 }],
  [true, "the order of fields", { path: "a", mode: "r" }, { mode: "r", path: "a" }],
  [true, "how they are written", { path: "a" }, '{"path": "a"}'],
  [false, "a path", { path: "a" }, { path: "b" }],
  [false, "a page", { path: "a", page: 1 }, { path: "a", page: 2 }],
  [false, "a type", { id: 7 }, { id: "7" }],
  [false, "a missing field", { path: "a", mode: "r" }, { path: "a" }],
])("takes calls for the same (%j) that differ in %s", (isSame, _, one, other) => {
  expect(keyOf(one) === keyOf(other)).toBe(isSame);
});

it("compares commands in substance", () => {
  const test = { command: "npm test" };

  expect(keyOf({ command: "cd app && npm test 2>&1 | tail -5" }, "bash")).toBe(keyOf(test, "bash"));
  expect(keyOf(test, "bash")).not.toBe(keyOf(test, "zsh"));
});

it("compares no arguments that fight back, and runs no getter", () => {
  const trap = Object.defineProperty({}, "path", { enumerable: true, get: () => expect.unreachable() });

  for (const args of [{ value: new Proxy({}, {}) }, trap]) {
    const [one, other] = seenStepsOf([...step("a", args, "x"), ...step("a", args, "y")]);
    expect([one!.open.isComparable, one!.step.call === other!.step.call]).toEqual([false, false]);
  }
});

it("knows the file that a call shows, however it is asked for", () => {
  const subject = subjectOf({ path: "src/a.ts" });
  const long = (start: string, length: number) => subjectOf({ path: `${start}${"a".repeat(length)}` });

  expect(subjectOf({ command: "cat ./src//a.ts" }, "bash")).toBe(subject);
  expect(subjectOf({ path: "src/a.ts", offset: 20 })).toBe(subject);
  expect(subjectOf({ path: "src/b.ts" })).not.toBe(subject);
  // To read a very long path would take long.
  expect([long("./", 3_000) === long("", 3_000), long("./", 5_000) === long("", 5_000)]).toEqual([true, false]);
});

it("keeps hashes, and no words but the tool's name", () => {
  const kept = JSON.stringify(open("read_file", { path: "a secret", query: "of a secret" }));

  expect([kept.includes("secret"), kept.includes("read_file")]).toEqual([false, true]);
});
