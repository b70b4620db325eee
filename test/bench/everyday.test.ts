import { describe, expect, it } from "vitest";
import { findData, sourceOf } from "../../bench/quality/data.ts";
import { expectationOf, scoreInnocent, scoreLoop } from "../../bench/quality/everyday.ts";
import { isEvent } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import { openTrace, readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";

describe("an everyday run", () => {
  it.each([
    [[], []],
    [["nudge"], ["isSpokenTo"]],
    [
      ["nudge", "block"],
      ["isSpokenTo", "isBlocked", "isTooHard"],
    ],
    [["restart"], ["isSpokenTo", "isStopped", "isTooHard"]],
  ] as const)("that is healthy is scored by what was done: %j", (actions, is) => {
    const score = Object.entries(scoreInnocent(actions.map((action) => ({ action }))));

    expect(score.filter(([, holds]) => holds).map(([name]) => name)).toEqual(is);
  });

  it.each([
    ["found at the first call that justifies a word", [10], "found", false],
    ["found at the call after patience has ended", [15], "found", false],
    ["late after that", [16], "late", false],
    ["missed where something was said only before", [9], "missed", true],
    ["found where it was spoken to early and in time", [9, 12], "found", true],
  ])("that is a loop is %s", (_title, spokeAt, verdict, isEarly) => {
    expect(scoreLoop({ from: 10, by: 14 }, spokeAt)).toEqual({ verdict, isEarly });
  });
});

describe("the everyday sets", () => {
  it("say of every run under a name of its own what is expected, in calls that it has", async () => {
    const names = new Set<string>();
    const faults: string[] = [];
    for (const path of findData({}, {}).traces.everyday) {
      const isLoops = !sourceOf(path).startsWith("innocent");
      for await (const trace of readTrace(openTrace(path), { onSkipped: () => faults.push(path) })) {
        const isFine = isWellFormed(trace) && (expectationOf(trace).expect === "spoken") === isLoops;
        if (!isFine || names.has(trace.run)) faults.push(trace.run);
        names.add(trace.run);
      }
    }

    expect(faults).toEqual([]);
    expect(names.size).toBe(1_403);
  });
});

function isWellFormed(trace: TraceRun): boolean {
  const expectation = expectationOf(trace);
  const [first, last] = expectation.span;
  const calls = trace.events.filter(({ type }) => type === "call").length;
  const places = expectation.expect === "spoken" ? [expectation.from, expectation.by, last + 1] : [];
  const isRising = (numbers: readonly number[]): boolean =>
    numbers.every((number, at) => Number.isInteger(number) && number >= (numbers[at - 1] ?? number));
  return trace.events.every(isEvent) && isRising([0, first, last, calls - 1]) && isRising([first, ...places]);
}
