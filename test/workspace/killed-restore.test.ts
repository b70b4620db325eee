import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkspace } from "../../packages/doomloop/src/workspace/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { differences, type FolderSnapshot, snapshotOf } from "./snapshot.ts";

const program = join(import.meta.dirname, "restore-and-die.ts");
/** By hand, one step in three; in CI, every one. */
const STRIDE = propertyRuns() > 10_000 ? 1 : 3;

let home: string;
let root: string;
let state: string;
let checkpoint: string;
let before: FolderSnapshot;
let after: FolderSnapshot;

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-killed-")));
  root = join(home, "root");
  state = join(home, "state");
  write("changed", "before\n");
  write("src/deleted", "before\n");
  write("became-folder", "before\n");
  write("folder/became-file", "before\n");
  write("untouched", "before\n");
  write("mode", "before\n");
  symlinkSync("untouched", join(root, "link"));
  before = snapshotOf(root);
  checkpoint = (await createWorkspace({ root, stateDirectory: state }).checkpoint()).id;

  write("changed", "after\n");
  rmSync(join(root, "src"), { recursive: true });
  rmSync(join(root, "became-folder"));
  write("became-folder/new", "after\n");
  rmSync(join(root, "folder"), { recursive: true });
  write("folder", "after\n");
  write("made/by/agent", "after\n");
  chmodSync(join(root, "mode"), 0o600);
  rmSync(join(root, "link"));
  symlinkSync("changed", join(root, "link"));
  after = snapshotOf(root);
  for (const each of ["root", "state"])
    cpSync(join(home, each), join(home, `${each}-kept`), { recursive: true, verbatimSymlinks: true });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** All as it was when the agent had gone in circles. */
function rewind(): void {
  for (const each of ["root", "state"]) {
    rmSync(join(home, each), { recursive: true, force: true });
    cpSync(join(home, `${each}-kept`), join(home, each), { recursive: true, verbatimSymlinks: true });
  }
}

/** The number of steps, or undefined for a process that was killed. */
function run(dieAt: number, ...words: string[]): number | undefined {
  const { stdout, stderr, signal } = spawnSync(process.execPath, [program, root, state, String(dieAt), ...words], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return signal === "SIGKILL" ? undefined : Number(stdout);
}

describe("a restore that is killed", () => {
  it("is completed by the next process, at whatever step, and can be undone", async () => {
    rewind();
    const steps = run(0, checkpoint)!;
    expect(steps).toBeGreaterThan(40);
    for (let step = 1; step <= steps; step += STRIDE) {
      rewind();
      expect(run(step, checkpoint), `step ${step}`).toBeUndefined();
      // The one that completes it is killed too, somewhere.
      run(1 + ((step * 7) % steps));
      const { checkpoint: next, undo } = createWorkspace({ root, stateDirectory: state });
      await next();
      expect(differences(snapshotOf(root), before), `restored after step ${step}`).toEqual([]);
      await undo();
      expect(differences(snapshotOf(root), after), `undone after step ${step}`).toEqual([]);
    }
  });

  it("leaves what somebody wrote after it was killed", async () => {
    rewind();
    run(2, checkpoint);
    write("changed", "by the user\n");
    const { restore } = createWorkspace({ root, stateDirectory: state });
    const report = await restore(checkpoint, { dryRun: true });

    expect(report.completed?.left).toEqual([
      { path: "changed", because: "it changed after the restore was cut short" },
    ]);
    expect(snapshotOf(root).get("changed")).toMatch(/by the user/);
  });
});
