import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, decisionsOf, failure, round, step, times, user } from "../../testing/events.ts";

const read = step("read_file", { path: "src/config.ts" }, "export const pageSize = 20;");
const test = [call("bash", { command: "npm test" }), failure("1 failed: expected 3, got 4")];
const edit = (text: string) => step("edit_file", { path: "src/cart.ts", text }, "Edited src/cart.ts.");
const kinds = (events: Parameters<typeof decisionsOf>[0]) => decisionsOf(events).map(({ finding }) => finding?.kind);

describe("the same call again", () => {
  it("is told at the third, and not before", () => {
    expect(decisionsOf(times(2, read))).toEqual([]);
    expect(decisionsOf(times(3, read))).toMatchObject([
      { action: "nudge", finding: { kind: "repeated-call", count: 3, weight: 2, steps: [0, 1, 2] } },
    ]);
  });

  it("is the same whatever time and duration its result shows", () => {
    const at = (second: number) =>
      step("read_log", { path: "a.log" }, `12:00:0${second} listening, ready in ${second}.3 s`);

    expect(kinds([1, 2, 3].flatMap(at))).toEqual(["repeated-call"]);
  });

  it.each(["repo", "branch", "host", "project_id"])("is not the same of a path in another %s", (name) => {
    const names = ["amber", "birch", "cedar", "dahlia", "elder", "fern", "ginkgo", "hazel", "iris", "juniper"];
    const licence = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software.";

    expect(kinds(names.flatMap((each) => step("get_file", { [name]: each, path: "LICENSE" }, licence)))).toEqual([]);
    expect(kinds(times(3, step("get_file", { [name]: "amber", path: "LICENSE" }, licence)))).toEqual(["repeated-call"]);
  });

  it("is the same of a path, whatever part is asked for and whatever for", () => {
    const parts = [1, 2, 3, 4].flatMap((at) =>
      step(
        "read_file",
        { path: "a.md", offset: at * 40, why: `look number ${at}` },
        "The same text of the whole file.",
      ),
    );

    expect(kinds(parts)).toContain("repeated-call");
  });

  it("starts over after a change", () => {
    expect(decisionsOf([...test, ...edit("a"), ...test, ...edit("b"), ...test, ...edit("c"), ...test])).toEqual([]);
  });

  it("starts over when the user speaks", () => {
    expect(decisionsOf([...read, ...read, user("And again, please."), ...read, ...read])).toEqual([]);
  });

  it("counts once in one answer of the model", () => {
    const parallel = [round, ...times(5, [call("read_file", { path: "a.ts" })]), ...times(5, read.slice(1))];

    expect(decisionsOf(parallel)).toEqual([]);
  });

  it("counts in another form, for less", () => {
    const looks = ["cat a.ts", "head -50 a.ts", "cat a.ts", "tail -50 a.ts", "cat a.ts"];

    expect(kinds(looks.flatMap((command) => step("bash", { command }, "export const a = 1;"))).length).toBeGreaterThan(
      0,
    );
  });

  it("is a cycle where calls come in turn", () => {
    const lap = [...read, ...step("read_file", { path: "src/session.ts" }, "export const ttlMs = 1000;")];

    expect(decisionsOf(times(3, lap))[0]).toMatchObject({ finding: { kind: "call-cycle", period: 2 } });
  });

  it("is no loop where each lap brings something new", () => {
    const lap = (job: number) => [
      ...step("pop_job", {}, `job ${job}: resize the picture ${job}`),
      ...step("acknowledge", {}, "ok"),
    ];

    expect(decisionsOf([1, 2, 3, 4, 5, 6].flatMap(lap))).toEqual([]);
  });

  it("adds little where the result does not show what was done", () => {
    const click = step("click", { element: "next" }, "ok");

    expect(decisionsOf(times(6, click))).toEqual([]);
    expect(decisionsOf(times(25, click)).length).toBeGreaterThan(0);
  });

  it("adds nothing as often as the user has asked for", () => {
    const flip = step(
      "flip_coin",
      {},
      "heads, and it landed on the table right in front of the player who had called tails",
    );

    expect(decisionsOf([user("Flip the coin 12 times."), ...times(12, flip)])).toEqual([]);
    expect(decisionsOf([user("Flip the coin."), ...times(12, flip)])).not.toEqual([]);
  });

  it("is never told of where every result is new", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 3 }), { maxLength: 30 }), (names) => {
        const events = names.flatMap((_name, at) =>
          step("next_page", {}, `page ${at} has ${at * 7} customers of the shop number ${at}`),
        );
        expect(decisionsOf(events)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});
