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

/** Restores the checkpoint. Returns the number of steps; undefined if the process was killed. */
function run(dieAt: number): number | undefined {
  const { root, state, checkpoint } = circled;
  const words = [program, root, state, String(dieAt), checkpoint];
  const { stdout, stderr, signal } = spawnSync(process.execPath, words, { encoding: "utf8" });
  expect(stderr).toBe("");
  return signal === "SIGKILL" ? undefined : Number(stdout);
}

describe("a restore that is killed", () => {
  it("can be done again or undone, whichever step was the last", async () => {
    const { root, state, checkpoint, before, after, rewind } = circled;
    const { restore, undo } = createWorkspace({ root, stateDirectory: state });
    rewind();
    const steps = run(0)!;
    expect(steps).toBeGreaterThan(20);
    for (let step = 1; step <= steps; step += STRIDE) {
      rewind();
      expect(run(step), `step ${step}`).toBeUndefined();
      // The process that does it again is killed, too, at some step.
      run(1 + ((step * 7) % steps));
      await restore(checkpoint);
      expect(differences(snapshotOf(root), before), `restored after step ${step}`).toEqual([]);
      await undo();
      expect(differences(snapshotOf(root), after), `undone after step ${step}`).toEqual([]);
    }
  });

  it("leaves the files that somebody wrote after it in a checkpoint, and an undo needs no restore", async () => {
    const { root, state, checkpoint, after, rewind, write } = circled;
    const { restore, undo, list } = createWorkspace({ root, stateDirectory: state });
    rewind();
    const steps = run(0)!;
    rewind();
    run(steps - 3);
    await undo();
    expect(differences(snapshotOf(root), after)).toEqual([]);
    rewind();
    run(steps - 3);
    write("changed", "by the user\n");
    await restore(checkpoint);
    const [latest] = await list();
    expect(snapshotOf(root).get("changed")).toMatch(/before/);
    await restore(latest!.id, { paths: ["changed"] });

    expect(snapshotOf(root).get("changed")).toMatch(/by the user/);
  });
});
