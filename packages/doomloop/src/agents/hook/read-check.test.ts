import { describe, expect, it } from "vitest";
import { readCheck } from "./read-check.ts";

function reading(command: string, output: unknown, error?: boolean) {
  return readCheck({ tool: "Bash", args: { command }, output, error });
}

describe("readCheck", () => {
  it.each([
    ["tests that pass", "npm test", "12 passed (12)"],
    ["a build that says nothing", "npm run build", ""],
    ["a script that nobody knows, if it says that tests pass", "./pass.sh", "13 passing"],
    ["a commit", "git commit -m x", "[main 1a2b3c4] x\n 1 file changed"],
    ["tests whose names mention an error", "npm test", "✓ throws an error: invalid\n12 passed, 0 failed"],
  ])("takes the work for confirmed by %s", (_, command, output) => {
    expect(reading(command, output)).toEqual({ verdict: "confirmed" });
  });

  it.each([
    ["a command that is no check", "./push.sh", "denied: requested access to the resource is denied"],
    ["a commit that fails", "git commit -m x", "fatal: unable to write new index file"],
    ["a look", "cat notes.md", "all good"],
  ])("says nothing about %s", (_, command, output) => {
    expect(reading(command, output)).toBeUndefined();
  });

  it("says nothing about a tool that is no shell", () => {
    expect(readCheck({ tool: "Edit", args: { file_path: "test.ts" }, output: "ok", error: false })).toBe(undefined);
  });

  it("compares failures without their times, and with their counts", () => {
    const one = reading("npm test", "3 failed, 2 passed in 1.31s", true);
    const later = reading("npm test", "3 failed, 2 passed in 2.07s", true);
    const better = reading("npm test", "1 failed, 4 passed in 1.29s", true);

    expect(one?.verdict).toBe("failed");
    expect(later).toEqual(one);
    expect(better).not.toEqual(one);
  });

  it("believes a failing exit code more than words about tests that pass", () => {
    expect(reading("npm test", "Exit code 1\n12 passed", true)?.verdict).toBe("failed");
  });
});
