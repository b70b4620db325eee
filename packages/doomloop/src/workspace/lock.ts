import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DoomloopError } from "../core/doomloop-error.ts";

const NAME = "lock";
const PAUSE_MS = 25;
const PATIENCE_MS = 10_000;
const TOUCH_MS = 10_000;
/** A holder touches its lock regularly. If it has not done so for this long, it is gone, even if a process with its id exists. */
const ABANDONED_MS = 600_000;
/** A lock is created with its holder's name in it. A lock without a name is damaged, and is broken after this time. */
const DAMAGED_MS = 60_000;
const HOLDER = /^\d+ \S+ [0-9a-f]+$/;
/** The locks of this process. In a container, a process that died may have had the same id. */
const held = new Set<string>();

/**
 * Runs a task while no other process works on the same folder. It waits for another process for some seconds, and then throws
 * a {@link DoomloopError}. If a process died, the next one breaks its lock.
 */
export async function withLock<Result>(
  folder: string,
  work: () => Promise<Result>,
  patienceMs: number = PATIENCE_MS,
): Promise<Result> {
  const path = join(folder, NAME);
  const mine = `${process.pid} ${hostname()} ${randomBytes(6).toString("hex")}`;
  for (let waited = 0; !take(path, mine); waited += PAUSE_MS) {
    if (waited >= patienceMs) {
      const advice = "wait for it, or remove that file if no doomloop is running";
      throw new DoomloopError("workspace-busy", `workspace: another process is using it (${path}): ${advice}`);
    }
    await delay(PAUSE_MS);
  }
  const touching = setInterval(() => touch(path), TOUCH_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(touching);
    held.delete(mine);
    if (read(path) === mine) rmSync(path, { force: true });
  }
}

function take(path: string, mine: string): boolean {
  const holder = read(path);
  if (holder !== undefined && isAlive(holder, ageOf(path))) return false;
  if (holder !== undefined && !breakLock(path, holder)) return false;
  const ready = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(ready, mine, { flag: "wx", mode: 0o600 });
    // A link makes the lock appear with its holder's name in it, or not at all.
    linkSync(ready, path);
    held.add(mine);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(ready, { force: true });
  }
}

/** Removes the lock of a dead process. If another process has already replaced it with its own, that one is put back. */
function breakLock(path: string, dead: string): boolean {
  const away = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    renameSync(path, away);
  } catch {
    return false;
  }
  try {
    if (read(away) === dead) return true;
    linkSync(away, path);
    return false;
  } catch {
    return false;
  } finally {
    rmSync(away, { force: true });
  }
}

function isAlive(holder: string, ageMs: number): boolean {
  if (!HOLDER.test(holder)) return ageMs < DAMAGED_MS;
  const [pid = "", host] = holder.split(" ");
  if (held.has(holder)) return true;
  if (ageMs >= ABANDONED_MS) return false;
  // Whether a process on another machine is alive cannot be known here.
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** A clock may have been set back, so a time far in the future counts as old, too. */
function ageOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? 0 : Math.abs(Date.now() - found.mtimeMs);
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Somebody has removed it.
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
