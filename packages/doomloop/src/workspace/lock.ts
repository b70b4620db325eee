import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DoomloopError } from "../core/doomloop-error.ts";

const PAUSE_MS = 25;
const TOUCH_MS = 10_000;
/** A holder touches its lock. If it has not done so for this long, it is gone, even if a process with its id exists. */
const ABANDONED_MS = 600_000;
/** The locks of this process. In a container, a process that died may have had the same id. */
const held = new Set<string>();

/**
 * Runs a task while no other process works on the same folder. It waits for another process for some seconds, and then throws
 * a {@link DoomloopError}. If a process died, the next one breaks its lock.
 */
export async function withLock<Result>(folder: string, work: () => Promise<Result>, patienceMs = 10_000) {
  const path = join(folder, "lock");
  for (let waited = 0; !take(path); waited += PAUSE_MS) {
    if (waited >= patienceMs) {
      const advice = "wait for it, or remove that file if no doomloop is running";
      throw new DoomloopError("workspace-busy", `workspace: another process is using it (${path}): ${advice}`);
    }
    await delay(PAUSE_MS);
  }
  const touching = setInterval(() => utimesSync(path, new Date(), new Date()), TOUCH_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(touching);
    held.delete(path);
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  if (isAbandoned(path)) rmSync(path, { force: true });
  try {
    writeFileSync(path, `${process.pid} ${hostname()}`, { flag: "wx", mode: 0o600 });
    held.add(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function isAbandoned(path: string): boolean {
  if (held.has(path)) return false;
  try {
    // A clock may have been set back, so a time far in the future counts as old, too.
    if (Math.abs(Date.now() - statSync(path).mtimeMs) >= ABANDONED_MS) return true;
    const [pid, host] = readFileSync(path, "utf8").split(" ");
    // A process of another machine cannot be asked.
    return host === hostname() && (Number(pid) === process.pid || !process.kill(Number(pid), 0));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
