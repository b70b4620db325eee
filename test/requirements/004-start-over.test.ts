import { type AgentEvent, SYSTEM_PROMPT_PARAGRAPH } from "doomloop";
import type { CountRules } from "doomloop/counting";
import { describe, expect, it } from "vitest";
import { call, createGuard, decisionsOf, failure, type GuardConfig, result, step, times, user } from "../builders.ts";
import { startOver } from "./profiles.ts";

const editor = "str_replace_editor";
const view = step(editor, { command: "view", path: "src/parser.py" }, "def parse(line):\n    return []");
const list = step("bash", { command: "ls" }, "parser.py\nprinter.py");
const failingTest = step("bash", { command: "pytest tests/parser" }, "1 failed: expected 3 rows, got none", {
  error: true,
});
const failingEdit = step(
  editor,
  { command: "str_replace", path: "file.py", old_str: "a", new_str: "b" },
  "Error: the text to replace does not occur",
);

/** Steps that differ from each other and from all others. */
function others(count: number): AgentEvent[] {
  return Array.from({ length: count }, (_, page) => step("open_page", { page }, `page ${page}`)).flat();
}

/** The how-manieth steps at which the run starts over, from 1. */
function restartsIn(events: readonly AgentEvent[], options: GuardConfig = startOver): number[] {
  return decisionsOf(events, options)
    .filter(({ action }) => action === "restart")
    .map(({ at }) => events.slice(0, at + 1).filter(({ type }) => type === "result").length);
}

/** A run, and the steps at which it starts over. */
type Case = readonly [title: string, events: readonly AgentEvent[], steps: readonly number[]];

/** The profile with other rules or actions. */
function startOverWith(rules: CountRules, ladder: GuardConfig["ladder"] = ["restart"]): GuardConfig {
  return { ...startOver, counts: { ...startOver.counts, ...rules }, ladder };
}

describe("document 004: what is counted", () => {
  const turned = step(editor, { path: "src/parser.py", command: "view" }, "def parse(line):\n    return []");
  const otherTool = step("viewer", { command: "view", path: "src/parser.py" }, "def parse(line):\n    return []");
  const otherPath = step(editor, { command: "view", path: "src/printer.py" }, "def parse(line):\n    return []");
  const otherResult = step(editor, { command: "view", path: "src/parser.py" }, "def parse(line):\n    return [line]");
  const log = (head: string, tail: string) => step("bash", { command: "make" }, head.padEnd(500, ".") + tail);
  const lines = "a line of the file that does not change between two views of it\n".repeat(7);
  const words = ["one", "two", "three", "four", "five"].flatMap((word) =>
    step("read_file", { path: "a" }, lines + word),
  );
  const edit = step("write_file", { path: "other.py", content: "x" }, "ok");

  it("starts over at the fifth equal call with an equal result", () => {
    expect(decisionsOf(times(5, view), startOver)).toMatchObject([
      { at: 9, action: "restart", finding: { kind: "repeated-call", count: 5, tools: [editor] } },
    ]);
  });

  it.each<Case>([
    ["not four", times(4, view), []],
    ["arguments in another order", [...view, ...turned, ...view, ...turned, ...view], [5]],
    ["no other tool, arguments or result", times(4, [...view, ...otherTool, ...otherPath, ...otherResult]), []],
    [
      "results that are equal in their first 500 characters",
      ["a", "b", "c", "d", "e"].flatMap((at) => log("same", at)),
      [5],
    ],
    ["no results that differ in them", ["a", "b", "c", "d", "e"].flatMap((at) => log(at, "same")), []],
    ["no results that differ in one word of many", words, []],
    ["equal results of a command that says nothing", times(5, step("bash", { command: "./build.sh" }, "")), [5]],
    ["within the last twenty calls", [...view, ...others(15), ...times(4, view)], [20]],
    ["nothing before them", [...view, ...others(16), ...times(4, view)], []],
    ["on after a change, and after words", [...view, ...view, ...edit, ...view, user("go on"), ...view, ...view], [6]],
  ])("counts %s", (_title, events, steps) => expect(restartsIn(events)).toEqual(steps));
});

describe("document 004: its scenarios", () => {
  const look = step(editor, { command: "view", path: "file.py" }, "contents");

  it.each<Case>([
    ["one file is viewed five times with a listing in between", [...times(2, view), ...list, ...times(3, view)], [6]],
    ["one failing test is run five times", times(5, failingTest), [5]],
    [
      "one edit fails five times with a view in between",
      [...times(2, failingEdit), ...look, ...times(3, failingEdit)],
      [6],
    ],
  ])("starts over where %s", (_title, events, steps) => expect(restartsIn(events)).toEqual(steps));
});

describe("document 004: starting over", () => {
  const decision = decisionsOf(times(5, view), startOver)[0]!;

  it("tells the agent what was repeated, and asks for a fresh look, another approach, and no repetition", () => {
    const facts = [/5 times/, /starts over/i, /fresh look/i, /completely different/i, /don't repeat/i];
    for (const fact of [new RegExp(`\`${editor}\``), ...facts]) expect(decision.message).toMatch(fact);
  });

  it("tells the human what was found and done, and points to the calls for a log", () => {
    for (const fact of [new RegExp(`\`${editor}\``), /5 times/, /starts over/i])
      expect(decision.explanation).toMatch(fact);
    expect(decision.finding?.steps).toEqual([0, 1, 2, 3, 4]);
  });

  it("forgets the history, so that the agent can go on, and starts over again if the loop comes back", () => {
    expect(restartsIn([...times(5, view), ...times(4, view)])).toEqual([5]);
    expect(restartsIn(times(15, view))).toEqual([5, 10, 15]);
  });

  it("gives way to an agent or host that starts over by itself", () => {
    const guard = createGuard(startOver);
    const actions = () => times(4, view).map((event) => guard.observe(event).action);
    actions();
    guard.reset();

    expect(actions()).toEqual(Array(8).fill("continue"));
  });
});

describe("document 004: tools that are not counted", () => {
  it.each(["sequential_thinking", "complete", "start_over"])("does not count %s", (tool) => {
    expect(restartsIn(times(10, step(tool, { thought: "hm" }, "noted")))).toEqual([]);
  });

  it("does not let them take room in the window", () => {
    const thoughts = Array.from({ length: 30 }, (_, at) => step("sequential_thinking", { at }, "noted")).flat();

    expect(restartsIn([...view, ...thoughts, ...times(4, view)])).toEqual([35]);
  });
});

describe("document 004: edge cases", () => {
  const viewed = (args: object, output: string) => step(editor, { command: "view", path: "a.py", ...args }, output);
  const replaced = (old_str: string) =>
    step(editor, { command: "str_replace", path: "a.py", old_str }, "Error: no match");
  const fetched = (reason: string) => step("fetch", { url: "http://localhost" }, `Error: ${reason}`, { error: true });

  it.each<Case>([
    ["a file be viewed again after it changed", [1, 2, 3, 4, 5, 6].flatMap((line) => viewed({}, `return ${line}`)), []],
    [
      "a file be viewed range by range",
      [1, 11, 21, 31, 41].flatMap((line) => viewed({ view_range: [line] }, "pass")),
      [],
    ],
    ["a failing call be tried in other ways", ["a", "b", "c", "d", "e"].flatMap(replaced), []],
    [
      "a call be tried again that fails in other ways",
      ["timed out", "refused", "reset", "no route", "bad"].flatMap(fetched),
      [],
    ],
  ])("lets %s", (_title, events, steps) => expect(restartsIn(events)).toEqual(steps));
});

describe("document 004: its test recommendations", () => {
  it.each<Case>([
    ["one file is viewed five times", times(5, view), [5]],
    ["one command is run five times", times(5, list), [5]],
    ["one edit fails five times", times(5, failingEdit), [5]],
    [
      "and not again for other calls, nor for four equal ones",
      [...times(5, view), ...list, ...failingTest, ...times(4, view)],
      [5],
    ],
  ])("starts over when %s", (_title, events, steps) => expect(restartsIn(events)).toEqual(steps));

  it("counts each of two tools that alternate by itself", () => {
    const found = decisionsOf(times(5, [...view, ...list]), startOverWith({}, ["nudge"]));

    expect(found).toMatchObject([
      { at: 17, finding: { tools: [editor], count: 5 } },
      { at: 19, finding: { tools: ["bash"], count: 5 } },
    ]);
  });
});

describe("document 004: configuration", () => {
  it.each([3, 4, 5, 6, 7])("takes a threshold of %i", (repeats) => {
    const options = startOverWith({ repeats });

    expect(restartsIn(times(repeats - 1, view), options)).toEqual([]);
    expect(restartsIn(times(repeats, view), options)).toEqual([repeats]);
  });

  it.each([10, 20, 50])("takes a window of %i", (within) => {
    const options = startOverWith({ within });

    expect(restartsIn([...view, ...others(within - 5), ...times(4, view)], options)).toEqual([within]);
    expect(restartsIn([...view, ...others(within - 4), ...times(4, view)], options)).toEqual([]);
  });
});

describe("document 004: memory", () => {
  it("does not grow with the number of calls or the length of results", () => {
    const guard = createGuard(startOver);
    for (let page = 0; page < 500; page++) {
      guard.observe(call("open_page", { page }));
      guard.observe(result("x".repeat(50_000)));
    }

    expect(JSON.stringify(guard.snapshot()).length).toBeLessThan(65_536);
  });
});

describe("document 004: the system prompt", () => {
  it("has a paragraph that tells what is watched, what follows and what to do then", () => {
    for (const fact of [/same call/, /same result/, /message/, /start(?:ed)? over/, /different|another/]) {
      expect(SYSTEM_PROMPT_PARAGRAPH).toMatch(fact);
    }
  });
});

describe("document 004: future enhancements", () => {
  it("is patient early in a run and strict late", () => {
    const options = startOverWith({ repeats: 7, later: { afterCalls: 30, repeats: 3 } });

    expect(restartsIn(times(7, view), options)).toEqual([7]);
    expect(restartsIn([...others(30), ...times(3, view)], options)).toEqual([33]);
  });

  it("finds calls that alternate and cycles of several steps", () => {
    const options = startOverWith({ cycles: { laps: 3 } });

    expect(restartsIn(times(3, [...view, ...list]), options)).toEqual([6]);
    expect(restartsIn(times(3, [...view, ...list, ...failingTest]), options)).toEqual([9]);
  });

  it("lets a tool be repeated with certain arguments", () => {
    const isSyntaxCheck = (args: unknown) => (args as { command: string }).command.startsWith("python -m py_compile");
    const options: GuardConfig = { ...startOver, rules: { ...startOver.rules, bash: { ignore: isSyntaxCheck } } };

    expect(restartsIn(times(8, step("bash", { command: "python -m py_compile a.py" }, "")), options)).toEqual([]);
    expect(restartsIn(times(5, list), options)).toEqual([5]);
  });

  it("counts how often it started over and which loops it saw", () => {
    const guard = createGuard(startOver);
    for (const event of times(10, view)) guard.observe(event);

    expect(guard.stats()).toMatchObject({ decisions: { restart: 2 }, findings: { "repeated-call": 2 } });
  });

  it("warns, suggests, and only then starts over", () => {
    const options = startOverWith({}, ["nudge", "nudge", "restart"]);
    const said = decisionsOf(times(7, view), options);

    expect(said.map(({ action }) => action)).toEqual(["nudge", "nudge", "restart"]);
    expect(said[1]?.message).toMatch(/restarts the run/);
  });

  it("warns of a failing call in words that fit a failure", () => {
    const [warning] = decisionsOf(
      times(5, [call("bash", { command: "pytest" }), failure("1 failed")]),
      startOverWith({}, ["nudge"]),
    );

    expect(warning?.message).toMatch(/failed/);
    expect(warning?.message).toMatch(/cause/);
  });
});
