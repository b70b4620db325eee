import { describe, expect, it } from "vitest";
import type { JudgedSource } from "../../bench/quality/judged-run.ts";
import { parseLabels } from "../../bench/quality/labels.ts";
import { leaveOneOut } from "../../bench/quality/leave-one-out.ts";

import { judgedRun } from "./judged-run.ts";

const source = (name: string, spokeAt: Record<string, number[]>, isSuccess = false): JudgedSource => ({
  kind: "recorded",
  source: name,
  runs: [judgedRun({ run: name, isSuccess, spokeAt })],
  skipped: 0,
  faults: 0,
});
const loop = (run: string) => JSON.stringify({ run, window: [0, 20], verdict: "loop", onset: 5, end: 9 });
const windows = (...runs: string[]) => parseLabels(runs.map(loop).join("\n")).windows;

describe("leave one out", () => {
  it("uses on a source what is best on the others, not on itself", () => {
    const sources = [source("one", { early: [6], late: [] }), source("two", { early: [], late: [6] })];

    const { sources: leftOut, pooled } = leaveOneOut(sources, windows("one", "two"), ["early", "late"], "early");

    expect(leftOut.map(({ chosen }) => chosen)).toEqual(["late", "early"]);
    expect(pooled).toMatchObject({ hits: 0, misses: 2 });
  });

  it("takes what is shipped where others are no better", () => {
    const sources = [source("one", { early: [6], late: [6] }), source("two", { early: [6], late: [6] })];

    const { sources: leftOut } = leaveOneOut(sources, windows("one", "two"), ["early", "late"], "late");

    expect(leftOut.map(({ chosen }) => chosen)).toEqual(["late", "late"]);
  });

  it("does not choose what disturbs successes, however many loops it finds", () => {
    const sources = [
      source("one", { early: [6], late: [] }),
      source("two", { early: [6], late: [] }),
      source("good", { early: [3], late: [] }, true),
    ];

    const { sources: leftOut } = leaveOneOut(sources, windows("one", "two"), ["early", "late"], "late");

    expect(leftOut.map(({ chosen }) => chosen)).toEqual(["late", "late", "early"]);
  });
});
