import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkspace } from "../../packages/doomloop/src/workspace/index.ts";
import { isFull } from "../campaign-size.ts";
import { type CircledWorkspace, createCircledWorkspace } from "./circled-workspace.ts";
import { differences, snapshotOf } from "./snapshot.ts";

/** The full campaign tries every call; CI tries some of them, including the first and the last. */
const SHARE = 10;
const program = join(import.meta.dirname, "restore-and-die.ts");
const SEEN = "%file,%desc";

let circled: CircledWorkspace;
let scratch: string;
beforeAll(async () => {
  circled = await createCircledWorkspace();
  scratch = mkdtempSync(join(tmpdir(), "doomloop-trace-"));
});
afterAll(() => {
  circled.remove();
  rmSync(scratch, { recursive: true, force: true });
});

function canInject(): boolean {
  const { status } = spawnSync("strace", ["-qq", "-o", "/dev/null", "-e", "inject=chdir:error=EIO", "true"]);
  if (status !== 0) process.stderr.write("Skipped: restores killed at system calls, because strace does not run.\n");
  return status === 0;
}

interface SystemCall {
  readonly name: string;
  /** The index of the call among those with its name in the process, from 1. */
  readonly when: number;
}

/** Restores under strace, which traces the thread that handles files and can kill the process at a call. Returns the result. */
function restore(log: string, killAt?: SystemCall): NodeJS.Signals | null {
  const { root, state, checkpoint } = circled;
  const injection = killAt === undefined ? [] : ["-e", `inject=${killAt.name}:signal=KILL:when=${killAt.when}`];
  const words = ["-qq", "-o", log, "-e", `trace=${SEEN}`, ...injection];
  const { status, signal } = spawnSync("strace", [...words, process.execPath, program, root, state, "0", checkpoint]);
  if (signal === null) expect(status).toBe(0);
  return signal;
}

/** The calls of an undisturbed restore, starting with the first one on our files. */
function listCalls(): SystemCall[] {
  const log = join(scratch, "log");
  circled.rewind();
  expect(restore(log)).toBeNull();
  const counts = new Map<string, number>();
  const calls: (SystemCall & { readonly line: string })[] = [];
  for (const [line, name = ""] of readFileSync(log, "utf8").matchAll(/^(\w+)\(.*$/gm)) {
    const when = (counts.get(name) ?? 0) + 1;
    counts.set(name, when);
    calls.push({ name, when, line });
  }
  const first = calls.findIndex(({ name, line }) => name !== "execve" && line.includes(circled.state));
  expect(first).toBeGreaterThan(0);
  return calls.slice(first);
}

describe.skipIf(!canInject())("a restore that is killed at a system call", () => {
  it("has changed nothing or is completed by the next process, and can be undone", async () => {
    const { root, state, checkpoint, before, after, rewind } = circled;
    const all = listCalls();
    const stride = isFull ? 1 : Math.ceil(all.length / SHARE);
    const calls = all.filter((_, at) => at % stride === 0);
    const ends = { killed: 0, unchanged: 0 };
    for (const call of calls) {
      const where = `at ${call.name} number ${call.when}`;
      rewind();
      if (restore(join(scratch, "log"), call) === "SIGKILL") ends.killed++;
      const workspace = createWorkspace({ root, stateDirectory: state });
      await workspace.checkpoint();
      const isUnchanged = differences(snapshotOf(root), after).length === 0;
      if (isUnchanged) {
        ends.unchanged++;
        await workspace.restore(checkpoint);
      }
      expect(differences(snapshotOf(root), before), `restored, ${where}`).toEqual([]);
      await workspace.undo();
      expect(differences(snapshotOf(root), after), `undone, ${where}`).toEqual([]);
    }
    // Threads do not always wake each other equally often, so some of the calls may be missing.
    expect(ends.killed).toBeGreaterThan(calls.length / 2);
    expect(ends.unchanged).toBeGreaterThan(0);
    expect(ends.unchanged).toBeLessThan(calls.length);
    if (isFull) process.stderr.write(`${ends.killed} kills, ${ends.unchanged} before the first change: all clean\n`);
  });
});
