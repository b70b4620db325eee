import { describe, expect, it } from "vitest";
import { call, decisionsOf, failure, newRun, result, step, takeCall, times } from "../../../../../test/builders.ts";
import { pack, unpack } from "../collections/pack.ts";
import type { AgentEvent } from "../event.ts";
import type { Step } from "../step.ts";
import { createWorld, hasChangedSince, lastChangeOf, measure, noteChange, type World } from "./world.ts";

/** A step that was made as the call of this index and succeeded. */
function succeeded(index: number, tool: string, args: object): Step {
  return { ...takeCall(newRun({ progress: { seesResults: true } }), call(tool, args)), index };
}

const edit = (index: number, from = `${index}`, to = `${index + 1}`) =>
  succeeded(index, "edit", { path: "a.ts", old_string: from, new_string: to });
const write = (index: number) => succeeded(index, "write_file", { path: `${index}.ts`, content: "x" });
const command = (index: number, line: string) => succeeded(index, "bash", { command: line });
const followUp = (index: number) => succeeded(index, "delegate", { task: "tidy up" });

/** A world in which these steps were made, one after the other. */
function worldAfter(...steps: readonly Step[]): World {
  const world = createWorld();
  for (const step of steps) note(world, step);
  return world;
}

const note = (world: World, step: Step) => noteChange(world, step, step.index - 1);

/** The world as a snapshot keeps it. */
function saved(world: World): World {
  return unpack(JSON.parse(JSON.stringify(pack(world)))) as World;
}

describe("a change", () => {
  it("lies after the steps before it", () => {
    const world = worldAfter(write(5));

    expect([4, 5, 6].map((index) => hasChangedSince(world, index))).toEqual([true, false, false]);
  });

  it("lies after what was judged before its result came", () => {
    const world = createWorld();
    noteChange(world, write(1), 4);

    expect([3, 4, 5].map((index) => hasChangedSince(world, index))).toEqual([true, true, false]);
  });

  it("did not happen if the call was refused", () => {
    const world = worldAfter({ ...write(1), isSynthetic: true });

    expect(hasChangedSince(world, 0)).toBe(false);
  });

  it("that was delegated is one for all but other delegations", () => {
    const world = worldAfter(followUp(5));

    for (const one of [world, saved(world)]) {
      expect(hasChangedSince(one, 4)).toBe(true);
      expect(hasChangedSince(one, 4, "asks")).toBe(false);
      expect(lastChangeOf(one)).toBe(5);
    }
    note(world, write(6));
    expect(hasChangedSince(world, 5, "asks")).toBe(true);
  });

  it("that was delegated is taken back once the host has measured the same as before", () => {
    const world = createWorld();
    measure(world, "tree", "a", 0);
    note(world, followUp(1));
    measure(world, "tree", "a", 1);

    expect(hasChangedSince(world, 0)).toBe(false);
  });

  it("is remembered over a save, which keeps no command", () => {
    const world = worldAfter(command(3, "rm a-secret"));
    const resumed = saved(world);

    expect(hasChangedSince(resumed, 2)).toBe(true);
    expect(hasChangedSince(resumed, 3)).toBe(false);
  });

  it("is not forgotten however many steps are noted", () => {
    const world = worldAfter(...Array.from({ length: 500 }, (_, at) => command(at, at === 7 ? "rm a" : `ls ${at}`)));

    expect(hasChangedSince(world, 6)).toBe(true);
    expect(hasChangedSince(world, 7)).toBe(false);
  });

  it("is known at its latest although results come out of order", () => {
    const world = worldAfter(command(1, "rm b"), command(0, "rm a"));

    expect(hasChangedSince(world, 0)).toBe(true);
    expect(lastChangeOf(world)).toBe(1);
    note(world, write(0));
    expect(lastChangeOf(world)).toBe(1);
  });
});

describe("an edit", () => {
  it("changes the world once, and its reverse not at all", () => {
    const world = worldAfter(edit(1, "x", "y"), edit(2, "y", "x"), edit(3, "x", "y"));

    for (const one of [world, saved(world)]) {
      expect(lastChangeOf(one)).toBe(1);
      note(one, edit(4, "y", "x"));
      expect(lastChangeOf(one)).toBe(1);
      note(one, edit(5, "y", "z"));
      expect(lastChangeOf(one)).toBe(5);
    }
  });

  it("is new again when it was long ago", () => {
    const world = worldAfter(...Array.from({ length: 100 }, (_, at) => edit(at)));
    note(world, edit(100, "0", "1"));

    expect(lastChangeOf(world)).toBe(100);
    expect(world.edits.size).toBe(32);
  });
});

describe("a measure", () => {
  it("is progress where its value is new, but for the first", () => {
    const world = createWorld();

    expect(["a", "b", "b", "a", "c"].map((value, at) => measure(world, "diff", value, at))).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
  });

  it("that is new is a change after its step", () => {
    const world = createWorld();
    measure(world, "diff", "a", 3);
    measure(world, "diff", "b", 5);

    expect(hasChangedSince(world, 5)).toBe(true);
    expect(hasChangedSince(world, 6)).toBe(false);
  });

  it("that stayed the same takes back what claimed to be a change", () => {
    const world = createWorld();
    measure(world, "diff", "a", 3);
    note(world, write(4));
    measure(world, "diff", "a", 5);

    expect(hasChangedSince(world, 3)).toBe(false);
  });

  it("is kept by its key, over a save too", () => {
    const world = createWorld();
    measure(world, "one", "a", 1);
    measure(world, "other", "b", 1);
    const resumed = saved(world);

    expect(measure(resumed, "one", "a", 2)).toBe(false);
    expect(measure(resumed, "other", "a", 2)).toBe(true);
  });

  it("that stayed the same does not take back what another has shown, in whichever order they come", () => {
    for (const order of [
      ["failing", "diff"],
      ["diff", "failing"],
    ]) {
      const world = createWorld();
      for (let at = 0; at < 6; at++) {
        for (const key of order) measure(world, key, key === "diff" ? `hash ${at}` : "3", at);
      }

      expect(hasChangedSince(world, 4)).toBe(true);
      expect(hasChangedSince(world, 5)).toBe(true);
      expect(hasChangedSince(world, 6)).toBe(false);
    }
  });

  it("takes back a change that no measure has shown", () => {
    const world = createWorld();
    measure(world, "diff", "a", 0);
    measure(world, "failing", "3", 0);
    note(world, write(1));
    measure(world, "diff", "a", 1);
    measure(world, "failing", "3", 1);

    expect(hasChangedSince(world, 0)).toBe(false);
  });

  it("is one of the first 16 keys, each with its latest values; with more, nothing is taken back", () => {
    const world = createWorld();
    for (let at = 0; at < 100; at++) measure(world, `key-${at % 20}`, `value ${at}`, at);
    note(world, write(100));
    for (let at = 80; at < 100; at++) measure(world, `key-${at % 20}`, `value ${at}`, 100);

    expect(world.measures.size).toBe(16);
    expect(Math.max(...[...world.measures.values()].map(({ values }) => values.length))).toBeLessThanOrEqual(4);
    expect(hasChangedSince(world, 99)).toBe(true);
  });
});

const TEST = { command: "npm test" };
const STORY = Array.from({ length: 40 }, () => "npm warn deprecated").join("\n");
const failing = [call("bash", TEST), failure("FAILED sum.test.ts: 3 is not 4\n1 failed, 7 passed")];

/** Whether the world has changed since the first step. */
function hasChanged(events: readonly AgentEvent[]): boolean {
  const run = newRun({ progress: { seesResults: true } });
  for (const event of [...step("ls", {}, "a b c"), ...events]) run.take(event);
  return hasChangedSince(run.state.world, 0);
}

const shell = (line: string, output: AgentEvent): AgentEvent[] => [call("bash", { command: line }), output];

describe("a step changes the world", () => {
  it.each<[string, AgentEvent[]]>([
    ["an edit", step("edit", { path: "a.ts", text: "x" }, "edited")],
    ["a command that writes", shell("touch a", result(""))],
    ["a program that nobody knows, unless it fails", shell("./install.sh", result("installed"))],
    [
      "the part of a command that ran before another failed",
      shell("mkdir a && cat b", failure("cat: b: no such file")),
    ],
    [
      "a command that tells a long story with an error in it",
      shell("npm install", result(`${STORY}\nerror: 3 are old`)),
    ],
    ["an agent that was sent to work", step("delegate", { task: "tidy up" }, "done")],
    ["an entry in a page", step("fill", { ref: "e5", value: "Berlin" }, "Filled")],
    ["a tool that nobody knows", step("frobnicate", { of: "x" }, "done")],
    ["a service that was changed by a command", shell("kubectl delete pod web-1", result("deleted"))],
  ])("if it is %s", (_what, events) => {
    expect(hasChanged(events)).toBe(true);
  });

  it.each<[string, AgentEvent[]]>([
    ["a look", step("read_file", { path: "a.ts" }, "export const a = 1;")],
    ["an edit that failed", [call("edit", { path: "a.ts", text: "x" }), failure("no match")]],
    ["a program that nobody knows and that failed", shell("./install.sh", failure("no network"))],
    ["a command that tells the same story and is said to have failed", shell("npm install", failure(STORY))],
    ["a click, which may have missed", step("click", { ref: "e5" }, "Clicked")],
    ["an entry that a page shows", step("fill", { ref: "e5", value: "Berlin" }, `Cities: ${"Berlin ".repeat(20)}`)],
    ["code that only the run sees", step("python", { code: "a = 1" }, "done")],
    ["a tool that nobody knows, and that found nothing", step("frobnicate", { of: "x" }, "no results")],
    ["a word to somebody", step("send_email", { to: "a@example.com" }, "sent")],
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
