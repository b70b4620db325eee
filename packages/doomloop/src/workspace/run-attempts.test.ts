import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGuard, type GuardOptions, type LoopStop, loopStop } from "doomloop";
import { createWorkspace, startOver, type Workspace } from "doomloop/workspace";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let home: string;
let root: string;
let workspace: Workspace;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "doomloop-start-over-"));
  root = join(home, "root");
  mkdirSync(root);
  writeFileSync(join(root, "task"), "");
  workspace = createWorkspace({ root, stateDirectory: join(home, "state") });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** An agent that creates a file, and then repeats one call until its guard ends the run. */
function loopUntilEnd(path: string, ladder: GuardOptions["ladder"]): LoopStop {
  writeFileSync(join(root, path), "");
  const guard = createGuard({ ladder: ladder! });
  for (let at = 0; ; at++) {
    guard.observe({ type: "round" });
    const call = guard.observe({ type: "call", id: `${at}`, tool: "read_file", args: { path } });
    const stop = loopStop(call) ?? loopStop(guard.observe({ type: "result", id: `${at}`, output: "the same" }));
    if (stop !== undefined) return stop;
  }
}

describe("startOver", () => {
  it("runs an agent once if it finishes, and leaves its files", async () => {
    const ended = await startOver({ workspace, run: async () => void writeFileSync(join(root, "done"), "") });

    expect(ended).toBeUndefined();
    expect(readdirSync(root)).toEqual(["done", "task"]);
  });

  it("restores the files and tells the next attempt what led nowhere", async () => {
    const seen: { message: string | undefined; files: string[] }[] = [];
    await startOver({
      workspace,
      attempts: 3,
      async run(message) {
        seen.push({ message, files: readdirSync(root) });
        return seen.length < 3 ? loopUntilEnd(`try-${seen.length}`, ["nudge", "restart"]) : undefined;
      },
    });

    expect(seen.map(({ files }) => files)).toEqual([["task"], ["task"], ["task"]]);
    expect(seen.map(({ message }) => message?.match(/^- /gm)?.length)).toEqual([undefined, 1, 2]);
    expect(seen[1]?.message).toMatch(/^\[doomloop\] This run starts over/);
  });

  it("ends after the last attempt, and leaves its files", async () => {
    let runs = 0;
    const ended = await startOver({ workspace, run: async () => loopUntilEnd(`try-${++runs}`, ["nudge", "restart"]) });

    expect(runs).toBe(2);
    expect(ended?.action).toBe("stop");
    expect(ended?.explanation).toMatch(/ Gave up after 2 attempts\.$/);
    expect(ended?.explanation).not.toContain("starts over");
    expect(readdirSync(root)).toEqual(["task", "try-2"]);
  });

  it("does not start over if the run was stopped for good", async () => {
    const ended = await startOver({ workspace, run: async () => loopUntilEnd("try", ["nudge", "stop"]) });

    expect(ended?.action).toBe("stop");
    expect(readdirSync(root)).toEqual(["task", "try"]);
  });

  it("requires a number of attempts", async () => {
    const run = async () => undefined;

    await expect(startOver({ workspace, run, attempts: 0 })).rejects.toThrow(
      "startOver: attempts: an integer of at least 1 is required, got 0",
    );
  });
});
