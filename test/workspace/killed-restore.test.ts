import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkspace } from "../../packages/doomloop/src/workspace/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { type CircledWorkspace, createCircledWorkspace } from "./circled-workspace.ts";
import { differences, snapshotOf } from "./snapshot.ts";

const program = join(import.meta.dirname, "restore-and-die.ts");
/** One step in three when run by hand, every step in CI. */
const STRIDE = propertyRuns() > 10_000 ? 1 : 3;

let circled: CircledWorkspace;
beforeAll(async () => {
  circled = await createCircledWorkspace();
});
afterAll(() => circled.remove());

/** The number of steps; undefined if the process was killed. */
function run(dieAt: number, ...words: string[]): number | undefined {
  const { root, state } = circled;
  const { stdout, stderr, signal } = spawnSync(process.execPath, [program, root, state, String(dieAt), ...words], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return signal === "SIGKILL" ? undefined : Number(stdout);
}

describe("a restore that is killed", () => {
  it("is completed by the next process, whichever step was the last, and can be undone", async () => {
    const { root, state, checkpoint, before, after, rewind } = circled;
    rewind();
    const steps = run(0, checkpoint)!;
    expect(steps).toBeGreaterThan(40);
    for (let step = 1; step <= steps; step += STRIDE) {
      rewind();
      expect(run(step, checkpoint), `step ${step}`).toBeUndefined();
      // The process that completes it is killed, too, at some step.
      run(1 + ((step * 7) % steps));
      const { checkpoint: next, undo } = createWorkspace({ root, stateDirectory: state });
      await next();
      expect(differences(snapshotOf(root), before), `restored after step ${step}`).toEqual([]);
      await undo();
      expect(differences(snapshotOf(root), after), `undone after step ${step}`).toEqual([]);
    }
  });

  it("leaves files alone that somebody wrote after it was killed", async () => {
    const { root, state, checkpoint, rewind, write } = circled;
    rewind();
    run(2, checkpoint);
    write("changed", "by the user\n");
    const { checkpoint: next } = createWorkspace({ root, stateDirectory: state });
    const report = await next();

    expect(report.completed?.left).toEqual([
      { path: "changed", because: "it changed after the restore was interrupted" },
    ]);
    expect(snapshotOf(root).get("changed")).toMatch(/by the user/);
  });
});
