import { LOOP_DETECTED, loopStop } from "doomloop";
import { describe, expect, it } from "vitest";

describe("loopStop", () => {
  it("is nothing where a decision is no stop", () => {
    expect(loopStop({ action: "continue" })).toBeUndefined();
    expect(loopStop({ action: "block", message: "no" })).toBeUndefined();
  });

  it("has words for people, whatever a guard of your own leaves out", () => {
    expect(loopStop({ action: "stop", message: "no more", status: LOOP_DETECTED })?.explanation).toMatch(/^Stopped: /);
  });
});
