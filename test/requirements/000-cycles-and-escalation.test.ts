import { LOOP_DETECTED } from "doomloop";
import { describe, expect, it } from "vitest";
import { actionsOf, call, createGuard, decisionsOf, failure, step, times, user } from "../builders.ts";
import { cyclesAndEscalation } from "./profiles.ts";

const read = call("read_file", { path: "src/session.py" });
const edit = call("edit_file", { path: "src/session.py", old_string: "a", new_string: "b" });
const revert = call("edit_file", { path: "src/session.py", old_string: "b", new_string: "a" });
const test = call("run_tests");

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
  it("takes a call for the same whatever the order of its arguments", () => {
    expect(
      placesOf([call("grep", { path: "src", pattern: "x" }), call("grep", { pattern: "x", path: "src" })]),
    ).toEqual([1]);
  });

  it("tells calls with other arguments apart", () => {
    expect(placesOf([call("grep", { pattern: "x" }), call("grep", { pattern: "y" })])).toEqual([]);
  });

  it("tells calls of other tools apart", () => {
    expect(placesOf([call("read_file", { path: "a" }), call("delete_file", { path: "a" })])).toEqual([]);
  });

  it("finds a cycle after a thousand other calls", () => {
    const others = Array.from({ length: 1000 }, (_, at) => call("read_file", { path: `src/${at}.py` }));

    expect(placesOf([...others, edit, test, edit, test])).toEqual([1003]);
  });
});

describe("document 000: cycles", () => {
  it("finds a call that follows itself", () => {
    const [decision, ...more] = decisionsOf([read, read], cyclesAndEscalation);

    expect(decision).toMatchObject({ at: 1, finding: { kind: "repeated-call", count: 2, tools: ["read_file"] } });
    expect(more).toEqual([]);
  });

  it("does not find a call that follows another", () => {
    expect(placesOf([read, test, read])).toEqual([]);
  });

  it("does not find a call that comes back after another, though it was warned of before", () => {
    expect(placesOf([read, read, read, test, read])).toEqual([1, 2]);
  });

  it("finds two calls in turn with the fourth", () => {
    const [decision] = decisionsOf([edit, test, edit, test], cyclesAndEscalation);

    expect(decision).toMatchObject({ at: 3, finding: { kind: "call-cycle", period: 2, count: 2 } });
  });

  it("does not find two calls in turn before the fourth", () => {
    expect(placesOf([edit, test, edit])).toEqual([]);
  });

  it("finds three calls in turn with the sixth", () => {
    const [decision] = decisionsOf(times(2, [read, edit, test]), cyclesAndEscalation);

    expect(decision).toMatchObject({ at: 5, finding: { kind: "call-cycle", period: 3, count: 2 } });
  });

  it("does not find three calls in turn before the sixth", () => {
    expect(placesOf([read, edit, test, read, edit])).toEqual([]);
  });

  it("does not find three calls that come back in another order", () => {
    expect(placesOf([read, edit, test, read, test, edit])).toEqual([]);
  });

  it("looks for cycles of three calls at most", () => {
    expect(placesOf(times(3, [read, edit, test, revert]))).toEqual([]);
  });
});

describe("document 000: the ways of being stuck that it names", () => {
  it("finds one file read again and again", () => {
    expect(actionsOf(times(3, [read]), cyclesAndEscalation)).toEqual(["nudge", "nudge"]);
  });

  it("finds one failing test run again without a change", () => {
    expect(placesOf(times(2, [test, failure("1 failed")]))).toEqual([2]);
  });

  it("finds one block edited and put back in turn", () => {
    expect(placesOf(times(2, [edit, revert]))).toEqual([3]);
  });

  it("finds an agent that alternates between two approaches", () => {
    const one = call("write_file", { path: "a.py", content: "with a class" });
    const other = call("write_file", { path: "a.py", content: "with a function" });

    expect(placesOf(times(2, [one, other]))).toEqual([3]);
  });
});

describe("document 000: the warning", () => {
  it("tells how often the pattern came", () => {
    const [first, second] = decisionsOf([read, read, read], cyclesAndEscalation);

    expect(first?.message).toContain("2 times");
    expect(second?.message).toContain("3 times");
  });

  it("lists the calls of the pattern in their order", () => {
    const [decision] = decisionsOf(times(2, [read, edit, test]), cyclesAndEscalation);

    expect(decision?.message).toMatch(/`read_file`, `edit_file` and `run_tests`/);
  });

  it("says how many calls of one tool are in the pattern", () => {
    const [decision] = decisionsOf(times(2, [edit, revert]), cyclesAndEscalation);

    expect(decision?.message).toMatch(/`edit_file` with 2 different inputs/);
  });

  it("does not speak of results where it did not look at them", () => {
    const [decision] = decisionsOf(times(2, [edit, test]), cyclesAndEscalation);

    expect(decision?.message).not.toMatch(/same results?\b/);
  });

  it("advises to read again, to take another way, and to take smaller steps", () => {
    const [decision] = decisionsOf(times(2, [edit, test]), cyclesAndEscalation);

    expect(decision?.message).toMatch(/read .* again/i);
    expect(decision?.message).toMatch(/approach|strateg|another way/i);
    expect(decision?.message).toMatch(/smaller/i);
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
  it("warns, warns more strongly, and ends the run", () => {
    expect(actionsOf(times(4, [read]), cyclesAndEscalation)).toEqual(["nudge", "nudge", "stop"]);
  });

  it("words the second warning more strongly and with more alternatives", () => {
    const [first, second] = decisionsOf(times(3, [read]), cyclesAndEscalation);

    expect(first?.message).not.toMatch(/Loop:|Last warning/);
    expect(second?.message).toMatch(/Loop:|Last warning/);
    const before = alternativesIn(first?.message);
    expect(alternativesIn(second?.message).length).toBeGreaterThanOrEqual(3);
    expect(alternativesIn(second?.message).every((advice) => before.includes(advice))).toBe(false);
  });

  it("tells with the second warning that the run will end", () => {
    const [, second] = decisionsOf(times(3, [read]), cyclesAndEscalation);

    expect(second?.message).toMatch(/ends the run/);
  });

  it("ends a run with a status that failure routing can tell, and with the finding", () => {
    const stop = decisionsOf(times(4, [read]), cyclesAndEscalation).at(-1);

    expect(stop).toMatchObject({ action: "stop", status: LOOP_DETECTED, finding: { kind: "repeated-call", count: 4 } });
  });

  it("sets the status only when it ends the run", () => {
    const [first, second] = decisionsOf(times(4, [read]), cyclesAndEscalation);

    expect([first?.status, second?.status]).toEqual([undefined, undefined]);
  });

  it("escalates on a cycle of several calls, whichever of them it is seen at", () => {
    const decisions = decisionsOf(times(3, [edit, test]), cyclesAndEscalation);

    expect(decisions.map(({ at, action }) => [at, action])).toEqual([
      [3, "nudge"],
      [4, "nudge"],
      [5, "stop"],
    ]);
    expect(new Set(decisions.map(({ finding }) => finding?.loop)).size).toBe(1);
  });

  it("gives another pattern a first warning of its own", () => {
    const [first, other] = decisionsOf([read, read, test, test], cyclesAndEscalation);

    expect([first?.action, other?.action]).toEqual(["nudge", "nudge"]);
    expect(other?.message).not.toMatch(/Loop:|Last warning/);
  });

  it("goes on with its count when a pattern comes back later", () => {
    const others = [1, 2, 3, 4].map((page) => call("fetch", { page }));

    expect(actionsOf([read, read, ...others, read, read, ...others, read, read], cyclesAndEscalation)).toEqual([
      "nudge",
      "nudge",
      "stop",
    ]);
  });

  it("goes on with its count though the user spoke", () => {
    expect(actionsOf([read, read, user("go on"), read, user("go on"), read], cyclesAndEscalation)).toEqual([
      "nudge",
      "nudge",
      "stop",
    ]);
  });
});

describe("document 000: false positives", () => {
  it("lets tests run after each of several different edits", () => {
    const rounds = [1, 2, 3, 4, 5].flatMap((line) => [call("edit_file", { path: "a.py", line }), test]);

    expect(placesOf(rounds)).toEqual([]);
  });

  it("lets several files be read one after the other", () => {
    expect(placesOf(["a", "b", "c", "d", "e", "f"].map((name) => call("read_file", { path: `${name}.py` })))).toEqual(
      [],
    );
  });
});
