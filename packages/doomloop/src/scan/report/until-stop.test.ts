import { describe, expect, it } from "vitest";
import type { LoopSummary } from "./report.ts";
import { decisionsUntilStop, stoppedAt } from "./until-stop.ts";

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
