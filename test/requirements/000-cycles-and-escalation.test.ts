import { type AgentEvent, LOOP_DETECTED } from "doomloop";
import { describe, expect, it } from "vitest";
import { call, createGuard, decisionsOf, failure, step, times, user } from "../builders.ts";
import { cyclesAndEscalation } from "./profiles.ts";

const read = call("read_file", { path: "src/session.py" });
const edit = call("edit_file", { path: "src/session.py", old_string: "a", new_string: "b" });
const revert = call("edit_file", { path: "src/session.py", old_string: "b", new_string: "a" });
const test = call("run_tests");
const grep = (args: object) => call("grep", args);

/** A run, and where the profile speaks in it. */
type Case = readonly [title: string, events: readonly AgentEvent[], places: readonly number[]];

/** The places of the events at which the profile of document 000 says anything. */
function placesOf(events: Parameters<typeof decisionsOf>[0]): number[] {
  return decisionsOf(events, cyclesAndEscalation).map(({ at }) => at);
}

/** The alternatives that a message names after its fact. */
function alternativesIn(message = ""): string[] {
  const [, ...advice] = message.split(". ");
  return advice.flatMap((sentence) => sentence.split(/,? or |, /));
}

describe("document 000: signatures", () => {
  const others = Array.from({ length: 1000 }, (_, at) => call("read_file", { path: `src/${at}.py` }));

  it.each<Case>([
    [
      "takes arguments in another order for the same",
      [grep({ path: "a", of: "x" }), grep({ of: "x", path: "a" })],
      [1],
    ],
    ["tells calls with other arguments apart", [grep({ of: "x" }), grep({ of: "y" })], []],
    ["tells calls of other tools apart", [read, call("delete_file", { path: "src/session.py" })], []],
    ["finds a cycle after a thousand other calls", [...others, edit, test, edit, test], [1003]],
  ])("%s", (_title, events, places) => expect(placesOf(events)).toEqual(places));
});

describe("document 000: cycles", () => {
  it.each([
    ["a call that follows itself", [read, read], { at: 1, finding: { kind: "repeated-call", count: 2 } }],
    ["two calls in turn", [edit, test, edit, test], { at: 3, finding: { kind: "call-cycle", period: 2, count: 2 } }],
    [
      "three calls in turn",
      times(2, [read, edit, test]),
      { at: 5, finding: { kind: "call-cycle", period: 3, count: 2 } },
    ],
  ])("finds %s with the end of the second lap", (_title, events, found) => {
    expect(decisionsOf(events, cyclesAndEscalation)).toMatchObject([found]);
  });

  it.each<Case>([
    ["a call that follows another", [read, test, read], []],
    ["a call that comes back after another, though it was warned of before", [read, read, read, test, read], [1, 2]],
    ["three calls that come back in another order", [read, edit, test, read, test, edit], []],
    ["four calls in turn", times(3, [read, edit, test, revert]), []],
  ])("does not find %s", (_title, events, places) => expect(placesOf(events)).toEqual(places));
});

describe("document 000: the ways of being stuck that it names", () => {
  const rewrite = (content: string) => call("write_file", { path: "a.py", content });

  it.each<Case>([
    ["one file read again and again", times(3, [read]), [1, 2]],
    ["one failing test run again without a change", times(2, [test, failure("1 failed")]), [2]],
    ["one block edited and put back in turn", times(2, [edit, revert]), [3]],
    ["two approaches in turn", times(2, [rewrite("with a class"), rewrite("with a function")]), [3]],
  ])("finds %s", (_title, events, places) => expect(placesOf(events)).toEqual(places));
});

describe("document 000: the warning", () => {
  it.each([
    ["how often the pattern came", [read, read], /2 times/],
    [
      "the calls of the pattern in their order",
      times(2, [read, edit, test]),
      /`read_file`, `edit_file` and `run_tests`/,
    ],
    ["how many calls of one tool are in it", times(2, [edit, revert]), /`edit_file` with 2 different inputs/],
    ["nothing of results, where it did not look at them", times(2, [edit, test]), /^(?!.*same results?\b)/s],
    ["to read again", times(2, [edit, test]), /read .* again/i],
    ["to take another way", times(2, [edit, test]), /approach|strateg|another way/i],
    ["to take smaller steps", times(2, [edit, test]), /smaller/i],
  ])("tells %s", (_title, events, told) => {
    expect(decisionsOf(events, cyclesAndEscalation)[0]?.message).toMatch(told);
  });

  it("may come back as a user's message without counting as the user", () => {
    const guard = createGuard({ ladder: ["nudge", "stop"] });
    const same = step("read_file", { path: "a" }, "contents");
    const answers = Array.from({ length: 30 }, () => {
      const decisions = same.map((event) => guard.observe(event));
      const said = decisions.find(({ action }) => action !== "continue");
      if (said?.message !== undefined) guard.observe(user(said.message));
      return said?.action;
    });

    expect(answers).toContain("stop");
  });
});

describe("document 000: escalation", () => {
  const [first, second, stop, ...more] = decisionsOf(times(4, [read]), cyclesAndEscalation);
  const others = [1, 2, 3, 4].map((page) => call("fetch", { page }));

  it.each([
    ["a call", times(4, [read])],
    ["a cycle, whichever of its calls it is seen at", times(3, [edit, test])],
    ["a pattern that comes back later", [read, read, ...others, read, read, ...others, read, read]],
    ["a pattern between words of the user", [read, read, user("go on"), read, user("go on"), read]],
  ])("warns, warns again, and ends the run: %s", (_title, events) => {
    const decisions = decisionsOf(events, cyclesAndEscalation);

    expect(decisions.map(({ action }) => action)).toEqual(["nudge", "nudge", "stop"]);
    expect(new Set(decisions.map(({ finding }) => finding?.loop)).size).toBe(1);
  });

  it("words the second warning more strongly, with other alternatives, and with the end of the run", () => {
    expect(first?.message).not.toMatch(/Loop:|Last warning/);
    expect(second?.message).toMatch(/Loop:|Last warning/);
    expect(second?.message).toMatch(/ends the run/);
    const before = alternativesIn(first?.message);
    expect(alternativesIn(second?.message).length).toBeGreaterThanOrEqual(3);
    expect(alternativesIn(second?.message).every((advice) => before.includes(advice))).toBe(false);
  });

  it("ends a run with the finding and a status that failure routing can tell, and sets it only then", () => {
    expect(stop).toMatchObject({ action: "stop", status: LOOP_DETECTED, finding: { kind: "repeated-call", count: 4 } });
    expect([first?.status, second?.status, more]).toEqual([undefined, undefined, []]);
  });

  it("gives another pattern a first warning of its own", () => {
    const [, other] = decisionsOf([read, read, test, test], cyclesAndEscalation);

    expect(other).toMatchObject({ action: "nudge", message: expect.not.stringMatching(/Loop:|Last warning/) });
  });
});

describe("document 000: false positives", () => {
  it.each([
    [
      "tests after each of several edits",
      [1, 2, 3, 4, 5].flatMap((line) => [call("edit_file", { path: "a", line }), test]),
    ],
    ["several files read in turn", ["a", "b", "c", "d", "e", "f"].map((path) => call("read_file", { path }))],
  ])("lets %s run", (_title, events) => expect(placesOf(events)).toEqual([]));
});
