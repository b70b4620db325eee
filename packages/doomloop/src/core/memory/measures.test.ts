import { describe, expect, it } from "vitest";
import { MAX_MEASURES, measure } from "./measures.ts";
import { createRunState } from "./run-state.ts";

describe("measure", () => {
  it("is progress if the value is new, not the first and not if it was there before", () => {
    const run = createRunState();

    expect(["a", "a", "b", "a", "b", "c"].map((value) => measure(run, "diff", value))).toEqual([
      false,
      false,
      true,
      false,
      false,
      true,
    ]);
  });

  it("takes back what was taken for a change, if the value stayed the same", () => {
    const run = createRunState();
    measure(run, "diff", "a");
    run.changedAt = 5;
    measure(run, "diff", "a");

    expect(run.changedAt).toBe(-1);
  });

  it("takes back nothing that another measure has shown", () => {
    const run = createRunState();
    measure(run, "diff", "a");
    measure(run, "errors", "3");
    run.calls = 4;
    measure(run, "diff", "b");
    measure(run, "errors", "3");

    expect(run.changedAt).toBe(4);
  });

  it("keeps so many, and takes nothing back once there are more", () => {
    const run = createRunState();
    for (let at = 0; at <= MAX_MEASURES; at++) measure(run, `measure ${at}`, "a");
    run.changedAt = 5;
    measure(run, "measure 0", "a");

    expect([run.measures.size, run.hasMoreMeasures, run.changedAt]).toEqual([MAX_MEASURES, true, 5]);
  });
});
