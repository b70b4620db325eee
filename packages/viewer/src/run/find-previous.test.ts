import { describe, expect, it } from "vitest";
import { sampleLoop, sampleSteps } from "../report/sample.ts";
import { findPrevious } from "./find-previous.ts";

const loops = [sampleLoop({ onset: 2, end: 4 })];

describe("the last time of a step", () => {
  it("is the latest equal call before it", () => {
    expect(findPrevious(sampleSteps("a1 a2 b1 a2"), 3, [])).toMatchObject({
      step: { call: 2 },
      basis: "call",
      hasSameOutcome: true,
    });
  });

  it("is none for a first time", () => {
    expect(findPrevious(sampleSteps("a1 b1"), 1, [])).toBeUndefined();
  });

  it("is the tool's last call of the same loop, where no call is equal", () => {
    const steps = sampleSteps("a1 b1 c1 d2").map((step) => ({ ...step, tool: "search" }));

    expect(findPrevious(steps, 2, loops)).toMatchObject({ step: { call: 2 }, basis: "tool", hasSameOutcome: true });
    expect(findPrevious(steps, 3, loops)).toMatchObject({ step: { call: 3 }, hasSameOutcome: false });
    expect(findPrevious(steps, 1, loops)).toBeUndefined();
  });

  it("says nothing of outcomes that are not there", () => {
    expect(findPrevious(sampleSteps("a a"), 1, [])?.hasSameOutcome).toBeNull();
  });
});
