import { describe, expect, it } from "vitest";
import { decisionsUntilStop, foldDecisions, foldedInWords, stoppedAt } from "./decisions.ts";
import type { LoopSummary } from "./report.ts";

type Decisions = LoopSummary["decisions"];
const loop = (...decisions: Decisions) => ({ decisions });
const at = (call: number, action: Decisions[number]["action"]) => ({ call, action });

describe("decisionsUntilStop", () => {
  it("ends at the first stop", () => {
    const run = [loop(at(12, "nudge"), at(18, "block"), at(19, "stop"), at(20, "stop"), at(35, "stop"))];

    expect(decisionsUntilStop(run)).toEqual([loop(at(12, "nudge"), at(18, "block"), at(19, "stop"))]);
    expect(stoppedAt(run)).toBe(19);
  });

  it("ends in every loop of the run, whichever caused the stop", () => {
    const run = [loop(at(40, "nudge"), at(44, "stop")), loop(at(9, "nudge"), at(30, "nudge")), loop(at(31, "stop"))];

    expect(decisionsUntilStop(run)).toEqual([loop(), loop(at(9, "nudge"), at(30, "nudge")), loop(at(31, "stop"))]);
  });

  it("changes nothing if there is no stop", () => {
    const run = [loop(at(3, "nudge"), at(90, "block")), loop()];

    expect(decisionsUntilStop(run)).toBe(run);
    expect(stoppedAt(run)).toBeUndefined();
  });
});

const told = (...decisions: readonly (readonly [call: number, action: "nudge" | "block" | "stop"])[]) =>
  foldDecisions(decisions.map(([call, action]) => ({ call, action }))).map((folded) => foldedInWords(folded));

it("folds refusals in a row, and nothing else", () => {
  expect(told([6, "nudge"], [8, "nudge"], [11, "block"], [12, "block"], [13, "block"], [14, "stop"])).toEqual([
    "would have nudged at call 6",
    "would have nudged at call 8",
    "would have refused calls 11 to 13",
    "would have stopped at call 14",
  ]);
});

it("says how many calls were refused if some got through", () => {
  expect(told([11, "block"], [12, "block"], [14, "block"])).toEqual([
    "would have refused 3 of the 4 calls from 11 to 14",
  ]);
  expect(told([11, "block"], [13, "nudge"], [14, "block"])).toHaveLength(3);
});
