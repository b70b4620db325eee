import { describe, expect, it } from "vitest";
import { ownCommand } from "../terminal/output.ts";
import { nextSteps, stepLines } from "./next-steps.ts";

const found = {
  showCommand: "doomloop show 1bf4eaac42",
  tuneCommand: "doomloop tune",
  adviceCommand: "doomloop scan --advise",
  pageCommand: undefined,
  hasWirableAgent: true,
  hasOtherAgent: false,
};

describe("nextSteps", () => {
  it.each([
    ["npx, which runs the package from a cache", "exec", "npm install --global doomloop && doomloop init"],
    ["a program on the path", undefined, "doomloop init"],
  ])("suggests a command that works, started by %s", (_what, npm_command, copy) => {
    const steps = nextSteps(found, (...words) => ownCommand(words, { npm_command }));

    expect(steps).toContainEqual({ purpose: "Break the next one", copy });
  });
});

describe("stepLines", () => {
  const steps = nextSteps(found, (...words) => `doomloop ${words.join(" ")}`);

  it("puts a command below its purpose where there is no room beside it, and never wraps it", () => {
    expect(stepLines(steps, 80)).toContain("  See one, step by step   doomloop show 1bf4eaac42\n");
    expect(stepLines(steps, 40)).toContain("  See one, step by step\n    doomloop show 1bf4eaac42\n");
  });
});
