import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { step, times } from "../builders.ts";
import { type CliSandbox, claudeSession, createCliSandbox, trace } from "../cli-sandbox.ts";

let sandbox: CliSandbox;
beforeEach(() => {
  sandbox = createCliSandbox();
  mkdirSync(join(sandbox.folder, "home"));
  mkdirSync(join(sandbox.folder, ".git"));
  sandbox.write("runs.jsonl", trace({ loop: times(8, step("read_file", { path: "a.ts" }, "none", { error: true })) }));
  sandbox.write("home/.claude/projects/-api/claude-1.jsonl", claudeSession(Date.now() - 86_400_000));
});
afterEach(() => sandbox.remove());

/** What a command could leave behind for the test files that come after it. */
function globals(): object {
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
  return { cwd: process.cwd(), env: { ...process.env }, listeners, exitCode: process.exitCode };
}

describe("a command that a test runs in its own process", () => {
  it.each([
    [["scan", "runs.jsonl"]],
    [["show", "loop", "runs.jsonl"]],
    [["tune", "runs.jsonl"]],
    [["replay", "runs.jsonl"]],
    [["init", "codex", "--dry-run"]],
    [["uninstall"]],
    [["doctor"]],
    [["allow", "--list"]],
    [["checkpoint", "--list"]],
    [["restore"]],
    [["undo"]],
    [["serve", "--port", "70000"]],
    [["status"]],
    [["log"]],
    [["pause", "--for", "1"]],
    [["resume"]],
    [["mode"]],
    [["stop"]],
  ])("does what the program does, and leaves nothing behind: %j", async (args) => {
    const before = globals();
    const here = await sandbox.doomloop(args);

    expect(globals()).toEqual(before);
    expect(here).toEqual(await sandbox.spawned(args));
  });

  it("sees the folder and the home that it is given, also beside another one", async () => {
    const [here, elsewhere, report] = await Promise.all([
      sandbox.doomloop(["allow", "--list"]),
      sandbox.doomloop(["allow", "--list"], {}, join(sandbox.folder, "home")),
      sandbox.reportOf([]),
    ]);

    expect(here.stdout).toContain(`${realpathSync(sandbox.folder)}.`);
    expect(elsewhere.stdout).toContain(`${realpathSync(join(sandbox.folder, "home"))}.`);
    expect(report.totals.sessions).toBe(1);
  });
});
