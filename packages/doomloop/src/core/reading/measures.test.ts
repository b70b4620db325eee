import { describe, expect, it } from "vitest";
import { MAX_MEASURES, measure } from "./measures.ts";
import { createRunMemory } from "./run-memory.ts";

describe("measure", () => {
  it("tells a value that was never taken from one that is as before, and from one that was there once", () => {
    const run = createRunMemory();

    expect(["a", "a", "b", "a", "b", "c"].map((value) => measure(run, "diff", value))).toEqual([
      "first",
      "same",
      "new",
      "known",
      "known",
      "new",
    ]);
  });

  it("keeps measures apart, so many of them", () => {
    const run = createRunMemory();
    for (let at = 0; at <= MAX_MEASURES; at++) measure(run, `measure ${at}`, "a");

    expect([run.measures.size, run.hasMoreMeasures]).toEqual([MAX_MEASURES, true]);
    expect([0, 1, MAX_MEASURES].map((at) => measure(run, `measure ${at}`, "a"))).toEqual(["same", "same", "first"]);
  });
});
