import { describe, expect, it } from "vitest";
import { type Expectation, expectationOf } from "../../bench/quality/everyday/expectation.ts";
import { keptAside } from "../../bench/quality/everyday/kept-aside.ts";
import { scoreInnocent } from "../../bench/quality/everyday/score-innocent.ts";
import { scoreLoop } from "../../bench/quality/everyday/score-loop.ts";
import { everydayInstrument } from "../../bench/quality/instruments/everyday.ts";
import { OURS } from "../../bench/quality/judged-run.ts";
import type { Action } from "../../packages/doomloop/src/index.ts";
import { judgedRun } from "./judged-run.ts";

const wordsOf = (...actions: Action[]) => actions.map((action, call) => ({ call, action }));

describe("an innocent everyday run", () => {
  it.each<{ actions: Action[]; is: string[] }>([
    { actions: [], is: [] },
    { actions: ["nudge"], is: ["isSpokenTo"] },
    { actions: ["nudge", "block"], is: ["isSpokenTo", "isBlocked", "isTooHard"] },
    { actions: ["nudge", "stop"], is: ["isSpokenTo", "isStopped", "isTooHard"] },
    { actions: ["restart"], is: ["isSpokenTo", "isStopped", "isTooHard"] },
    { actions: ["block", "stop"], is: ["isSpokenTo", "isBlocked", "isStopped", "isTooHard"] },
  ])("is scored by what was done: $actions", ({ actions, is }) => {
    const score = Object.entries(scoreInnocent(wordsOf(...actions)));

    expect(score.filter(([, holds]) => holds).map(([name]) => name)).toEqual(is);
  });
});

describe("an everyday loop", () => {
  it.each([
    { title: "found at the first call that justifies a word", spokeAt: [10], verdict: "found", isEarly: false },
    { title: "found at the call after patience has ended", spokeAt: [15], verdict: "found", isEarly: false },
    { title: "late after that", spokeAt: [16], verdict: "late", isEarly: false },
    { title: "missed where nothing was said", spokeAt: [], verdict: "missed", isEarly: false },
    { title: "missed where something was said only before", spokeAt: [9], verdict: "missed", isEarly: true },
    { title: "found where it was spoken to early and in time", spokeAt: [9, 12], verdict: "found", isEarly: true },
    { title: "late where it was spoken to early and late", spokeAt: [2, 20], verdict: "late", isEarly: true },
  ])("is $title", ({ spokeAt, verdict, isEarly }) => {
    expect(scoreLoop({ from: 10, by: 14 }, spokeAt)).toEqual({ verdict, isEarly });
  });
});

describe("what is expected", () => {
  const line = { run: "loop/exact/one", events: [], class: "exact", expect: "spoken", span: [1, 9], from: 2, by: 4 };

  it("is read from the line of a run", () => {
    expect(expectationOf(line)).toEqual({ class: "exact", expect: "spoken", span: [1, 9], from: 2, by: 4 });
    expect(expectationOf({ ...line, expect: "silent" } as typeof line)).not.toHaveProperty("by");
  });

  it.each([{ class: undefined }, { expect: "quiet" }, { span: [1] }, { by: undefined }])("is required: %o", (more) => {
    expect(() => expectationOf({ ...line, ...more } as typeof line)).toThrow("loop/exact/one: class, expect and span");
  });
});

describe("the classes kept aside", () => {
  it("are every third by the alphabet", () => {
    expect([...keptAside(["g", "b", "a", "f", "c", "d", "e", "c", "a"])]).toEqual(["c", "f"]);
  });

  it("are none of two", () => {
    expect(keptAside(["a", "b"]).size).toBe(0);
  });
});

describe("the everyday figures", () => {
  const innocent = (expect: "silent" | "nudge-at-most", ...actions: Action[]) =>
    judgedRun({ expectation: { class: "polling", expect, span: [0, 9] }, actions, rule: [] });
  const loop = (actions: Action[], rule: number[]) => {
    const expectation: Expectation = { class: "exact", expect: "spoken", span: [0, 9], from: 1, by: 3 };
    return judgedRun({ expectation, actions, rule });
  };
  const { figures } = everydayInstrument("everyday", [
    innocent("silent"),
    innocent("silent", "nudge"),
    innocent("silent", "nudge", "block", "stop"),
    innocent("silent"),
    innocent("nudge-at-most", "nudge"),
    innocent("nudge-at-most", "nudge", "block"),
    loop(["nudge", "nudge"], [4]),
    loop(["nudge"], [5]),
  ]);
  const valuesOf = (detector: string) =>
    Object.fromEntries(figures.map(({ name, values }) => [name, values[detector]]));

  it("are shares and counts of our guard", () => {
    expect(valuesOf(OURS)).toEqual({
      "innocents spoken to": 0.5,
      "innocents refused": 1,
      "innocents ended": 1,
      "arguable ones refused or ended": 1,
      "loops found in time": 0.5,
      "loops found late": 0,
      "loops missed": 0.5,
      "loops spoken to early": 1,
    });
  });

  it("are of words alone for a rule that only speaks", () => {
    expect(valuesOf("rule")).toMatchObject({
      "innocents spoken to": 0,
      "innocents refused": undefined,
      "loops found in time": 0.5,
      "loops found late": 0.5,
    });
  });
});
