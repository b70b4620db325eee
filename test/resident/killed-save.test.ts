import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSessions } from "../../packages/doomloop/src/service/sessions.ts";

const RUN = "0".repeat(32);
let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-killed-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

it.skipIf(process.platform === "win32").each(["before", "after"])(
  "keeps the old state or the new one, %s whichever call a process is killed that saves it",
  (when) => {
    const script = join(import.meta.dirname, "save-and-die.ts");
    const found: unknown[] = [];
    for (let call = 1; ; call++) {
      rmSync(join(state, "sessions"), { recursive: true, force: true });
      const { stdout } = spawnSync(process.execPath, [script, state, String(call), when], { encoding: "utf8" });
      expect(stdout === "" || stdout === "done\n", stdout).toBe(true);
      const faults: unknown[] = [];
      const sessions = createSessions({ state, now: Date.now, onFault: (fault) => void faults.push(fault) });
      found.push(sessions.get(RUN)?.at);
      // What is left of a save that was cut short goes with the first one that is not.
      sessions.set(RUN, { ...sessions.get(RUN)!, hasSpoken: true });
      sessions.handOver();
      sessions.save();
      expect(readdirSync(join(state, "sessions"))).toEqual([`${RUN}.json`]);
      expect(faults).toEqual([]);
      if (stdout === "done\n") break;
    }

    expect(found.length).toBeGreaterThan(3);
    expect(new Set(found)).toEqual(new Set([1, 2]));
  },
);
