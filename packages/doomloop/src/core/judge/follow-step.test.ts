import { describe, expect, it } from "vitest";
import { call, decisionsOf, failure, newRun, result, step, times } from "../../../../../test/builders.ts";
import type { AgentEvent } from "../event.ts";

const TEST = { command: "npm test" };
const STORY = Array.from({ length: 40 }, () => "npm warn deprecated").join("\n");
const failing = [call("bash", TEST), failure("FAILED sum.test.ts: 3 is not 4\n1 failed, 7 passed")];

/** Whether the world has changed since the first step. */
function hasChanged(events: readonly AgentEvent[]): boolean {
  const run = newRun({ progress: { seesResults: true } });
  for (const event of [...step("ls", {}, "a b c"), ...events]) run.take(event);
  return run.state.world.hasChangedSince(0);
}

const command = (line: string, output: AgentEvent): AgentEvent[] => [call("bash", { command: line }), output];

describe("a step changes the world", () => {
  it.each<[string, AgentEvent[]]>([
    ["an edit", step("edit", { path: "a.ts", text: "x" }, "edited")],
    ["a command that writes", command("touch a", result(""))],
    ["a program that nobody knows, unless it fails", command("./install.sh", result("installed"))],
    [
      "the part of a command that ran before another failed",
      command("mkdir a && cat b", failure("cat: b: no such file")),
    ],
    [
      "a command that tells a long story with an error in it",
      command("npm install", result(`${STORY}\nerror: 3 are old`)),
    ],
    ["an agent that was sent to work", step("delegate", { task: "tidy up" }, "done")],
  ])("if it is %s", (_what, events) => {
    expect(hasChanged(events)).toBe(true);
  });

  it.each<[string, AgentEvent[]]>([
    ["a look", step("read_file", { path: "a.ts" }, "export const a = 1;")],
    ["an edit that failed", [call("edit", { path: "a.ts", text: "x" }), failure("no match")]],
    ["a program that nobody knows and that failed", command("./install.sh", failure("no network"))],
    ["a command that tells the same story and is said to have failed", command("npm install", failure(STORY))],
    ["a command line that no shell could read", command("mkdir a && echo 'b", failure("sh: unexpected EOF"))],
    ["an agent that failed at its work", [call("delegate", { task: "tidy up" }), failure("no agent is free")]],
    ["a call that was refused", [call("edit", { path: "a.ts", text: "x" }), result("no", { synthetic: true })]],
  ])("but not if it is %s", (_what, events) => {
    expect(hasChanged(events)).toBe(false);
  });

  it("if it succeeds in the end, though it had failed before", () => {
    const write = (text: string) => call("write_file", { path: "a.ts", content: text });
    const attempt = (text: string) => [write(text), failure("EBUSY: resource busy"), write(text), result("12 bytes")];

    expect(hasChanged(attempt("one"))).toBe(true);
    expect(decisionsOf([...failing, ...attempt("one"), ...failing, ...attempt("two"), ...failing])).toEqual([]);
  });

  it("but not if it had succeeded before: what is done again brings nothing new", () => {
    const write = step("write_file", { path: "a.ts", content: "x" }, "12 bytes");
    const check = [...write, ...failing];

    expect(decisionsOf([...write, ...times(4, check)])).not.toEqual([]);
  });

  it("when its result comes, not when it was called: looks in between were before it", () => {
    const slow = [call("bash", { command: "npm install" }, { id: "slow" })];
    const test = (id: string) => [call("bash", TEST, { id }), { ...failure("Error: Cannot find module 'a'"), id }];
    const done = [result("added 1 package", { id: "slow", error: false })];

    expect(decisionsOf([...slow, ...test("1"), ...test("2"), ...done, ...test("3")])).toEqual([]);
    expect(decisionsOf([...slow, ...done, ...test("1"), ...test("2"), ...test("3")])).not.toEqual([]);
  });
});

describe("a step ends a row of failures", () => {
  const rowOf = (events: readonly AgentEvent[]) => {
    const run = newRun();
    for (const event of events) run.take(event);
    return run.state.failures.of("bash").length;
  };
  const failed = [1, 2, 3].flatMap((at) => command(`program-${at}`, failure(`program ${at}: bad option`)));

  it("if its tool succeeds", () => {
    expect(rowOf(failed)).toBe(3);
    expect(rowOf([...failed, ...command("ls", result("a b", { error: false }))])).toBe(0);
  });

  it.each<[string, AgentEvent[]]>([
    ["a look that shows nothing", command("ls", result("", { error: false }))],
    ["a wait", command("sleep 5", result("", { error: false }))],
    ["another tool", step("read_file", { path: "a.ts" }, "export const a = 1;")],
    ["a refusal", [call("bash", { command: "ls" }), result("no", { synthetic: true })]],
  ])("but not if it is %s", (_what, events) => {
    expect(rowOf([...failed, ...events])).toBe(3);
  });

  it("and belongs to none if it fails without a word", () => {
    expect(rowOf([...failed, ...command("grep -q x a", failure(""))])).toBe(3);
  });
});
