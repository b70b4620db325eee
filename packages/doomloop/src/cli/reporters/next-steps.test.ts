import { describe, expect, it } from "vitest";
import { ownCommand } from "../terminal/own-command.ts";
import { nextSteps } from "./next-steps.ts";

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
