import { describe, expect, it } from "vitest";
import { refusal } from "../../../../../test/refusal.ts";
import type { Rung } from "../answer.ts";
import { checkRungs, escalationOf } from "./levels.ts";

const LEVELS = { told: 3, refused: 10, ended: 20 };

describe("escalationOf", () => {
  it("says what may be done, and when", () => {
    expect(escalationOf(["nudge", "block", "stop"], LEVELS)).toEqual({
      levels: LEVELS,
      hasWords: true,
      hasBlock: true,
      restarts: 0,
      hasStop: true,
    });
  });

  it("never reaches a level that nothing answers", () => {
    expect(escalationOf(["nudge"], LEVELS).levels).toEqual({ told: 3, refused: Infinity, ended: Infinity });
    expect(escalationOf(["nudge", "stop"], LEVELS).levels).toEqual({ told: 3, refused: Infinity, ended: 20 });
    expect(escalationOf(["block"], LEVELS).levels).toEqual({ told: 3, refused: 10, ended: Infinity });
  });

  it("counts how often a run may start over", () => {
    expect(escalationOf(["nudge", "restart", "restart", "stop"], LEVELS)).toMatchObject({ restarts: 2, hasStop: true });
  });

  it.each([
    [{ told: 1 }, "levels.told: an integer of at least 2 is required, got 1"],
    [{ refused: 3 }, "levels.refused: an integer of at least 4 is required, got 3"],
    [{ ended: 10 }, "levels.ended: an integer of at least 11 is required, got 10"],
    [{ told: 2.5 }, "levels.told: … is required, got 2.5"],
  ])("refuses the levels %j", (levels, message) => {
    expect(() => escalationOf(["nudge"], { ...LEVELS, ...levels })).toThrow(refusal(message));
  });
});

describe("checkRungs", () => {
  it.each<[unknown, string]>([
    [[], "ladder: at least one rung is required, got none"],
    ["nudge", "ladder: at least one rung is required, got none"],
    [["shout"], "ladder: one of nudge, block, restart, stop is required, got shout"],
    [["stop", "nudge"], "ladder: rising rungs are required, got nudge after stop"],
  ])("refuses the list %j", (rungs, message) => {
    expect(() => checkRungs(rungs as Rung[])).toThrow(refusal(message));
  });

  it("takes any list that rises", () => {
    for (const rungs of [["nudge"], ["stop"], ["nudge", "nudge", "block"], ["nudge", "block", "restart", "stop"]])
      expect(() => checkRungs(rungs as Rung[])).not.toThrow();
  });
});
