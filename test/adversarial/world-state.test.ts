import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { actionsOf, call, failure, step, times } from "../builders.ts";

const state = (key: string, value: unknown): AgentEvent => ({ type: "state", key, value });
const look = step(
  "get_page",
  { url: "/cart" },
  "Your cart is empty. What you put into it stays here for two weeks, also if you sign out in between.",
);
const edit = (from: string, to: string): AgentEvent[] =>
  step("edit_file", { path: "a.ts", old_string: from, new_string: to }, "done");
const test = [call("bash", { command: "npm test" }), failure("1 failed: expected 2, got 3")];
/** Everything but what counts in spite of changes. */
const exactOnly = { detectors: { "test-fix": false, "similar-call": false, "same-outcome": false } } as const;

describe("a measure of the world", () => {
  it("that is new makes a repeat innocent", () => {
    const events = Array.from({ length: 10 }, (_, at) => [state("diff", `hash-${at}`), ...look]).flat();

    expect(actionsOf(events)).toEqual([]);
  });

  it("that stays the same makes nothing innocent", () => {
    expect(actionsOf(times(3, [state("diff", "hash"), ...look]))).toEqual(["nudge"]);
  });

  it("that returns to an earlier value is no progress", () => {
    const events = Array.from({ length: 8 }, (_, at) => [state("diff", at % 2), ...look]).flat();

    expect(actionsOf(events).length).toBeGreaterThan(0);
  });

  it("that is the same after a claimed change proves that nothing changed", () => {
    const claim = (at: number) => step("apply_patch", { patch: `patch ${at}` }, "applied");
    const claimed = Array.from({ length: 6 }, (_, at) => [...claim(at), ...test]).flat();
    const measured = Array.from({ length: 6 }, (_, at) => [...claim(at), state("diff", "same"), ...test]).flat();

    expect(actionsOf(claimed, exactOnly)).toEqual([]);
    expect(actionsOf([state("diff", "same"), ...measured], exactOnly).length).toBeGreaterThan(0);
  });

  it("of one kind says nothing of another", () => {
    const events = Array.from({ length: 6 }, (_, at) => [
      state("errors", 3),
      state("diff", `hash-${at}`),
      ...look,
    ]).flat();

    expect(actionsOf(events)).toEqual([]);
  });

  it("is compared by content", () => {
    expect(actionsOf(times(3, [state("page", { url: "/cart", fields: [1, 2] }), ...look]))).toEqual(["nudge"]);
  });
});

describe("a command that the shell cannot read", () => {
  const broken = (at: number) => [
    call("bash", { command: `echo '${at} > a.txt; ls` }),
    failure("bash: unexpected EOF while looking for matching `''"),
  ];

  it("changes nothing, though it is several commands in one", () => {
    const events = [...look, ...broken(1), ...look, ...broken(2), ...look];

    expect(actionsOf(events, exactOnly)).toEqual(["nudge"]);
  });
});

describe("a delegation", () => {
  const delegate = (task: string, says: string) => step("delegate", { task }, says);
  it("makes a look innocent, for the other agent may have changed something", () => {
    const events = ["one", "two", "three"].flatMap((task) => [...delegate(task, `${task} is done`), ...look]);

    expect(actionsOf(events)).toEqual([]);
  });
});

describe("edits", () => {
  it("that are new make a repeat innocent", () => {
    const events = Array.from({ length: 8 }, (_, at) => [...test, ...edit(`${at}`, `${at + 1}`)]).flat();

    expect(actionsOf(events, exactOnly)).toEqual([]);
  });

  it("that undo each other are no progress", () => {
    const events = times(4, [...test, ...edit("x", "y"), ...test, ...edit("y", "x")]);

    expect(actionsOf(events, exactOnly).length).toBeGreaterThan(0);
  });

  it("made again are no progress", () => {
    expect(actionsOf(times(5, [...test, ...edit("x", "y")]), exactOnly).length).toBeGreaterThan(0);
  });

  it("that failed are no progress", () => {
    const events = Array.from({ length: 5 }, (_, at) => [
      ...test,
      call("edit_file", { path: "a.ts", old_string: `${at}`, new_string: "z" }),
      failure("old_string was not found"),
    ]).flat();

    expect(actionsOf(events, exactOnly).length).toBeGreaterThan(0);
  });

  it("that never help are found in spite of being new", () => {
    const events = Array.from({ length: 8 }, (_, at) => [...test, ...edit(`${at}`, `${at + 1}`)]).flat();

    expect(actionsOf(events, { detectors: { "test-fix": { threshold: 5 } } }).length).toBeGreaterThan(0);
  });
});

describe("a tool declared", () => {
  /** What it says is known, so only what it changes can be progress. */
  const touch = (at: number) => step("look_at", { with: at }, "ok");
  const events = Array.from({ length: 6 }, (_, at) => [...look, ...touch(at)]).flat();

  it("to change nothing makes nothing innocent", () => {
    expect(actionsOf(events, { rules: { look_at: { changes: false } } }).length).toBeGreaterThan(0);
  });

  it("to change something does", () => {
    expect(actionsOf(events, { rules: { look_at: { changes: true } } })).toEqual([]);
  });

  it("by the host's own hint is taken at its word", () => {
    const hinted = (readOnly: boolean): AgentEvent[] =>
      events.map((event) => (event.type === "call" && event.tool === "look_at" ? { ...event, readOnly } : event));

    expect(actionsOf(hinted(true)).length).toBeGreaterThan(0);
    expect(actionsOf(hinted(false))).toEqual([]);
  });
});
