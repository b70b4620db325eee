import { describe, expect, it } from "vitest";
import { measure } from "./measures.ts";
import { createRunState } from "./run-state.ts";

describe("measure", () => {
  it("takes back nothing that another measure has shown", () => {
    const run = createRunState();
    measure(run, "diff", "a");
    measure(run, "errors", "3");
    run.calls = 4;
    measure(run, "diff", "b");
    measure(run, "errors", "3");

    expect(run.changedAt).toBe(4);
  });
});
