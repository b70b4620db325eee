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
/** A holder touches its lock all the time. One that did not for so long is gone, whatever process has its number now, here or elsewhere. */
const ABANDONED_MS = 600_000;
/** A lock appears with its holder's name in it. One without was damaged. */
const DAMAGED_MS = 60_000;
const HOLDER = /^\d+ \S+ [0-9a-f]+$/;
/** Locks of this process. In a container, one that died had the same number. */
const held = new Set<string>();

/**
 * Runs a piece of work while no other process works on the same folder. Waits for the other one for some seconds, and
 * throws a {@link DoomloopError} then. A process that died leaves a lock that the next one breaks.
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
      throw new DoomloopError("workspace-busy", `workspace: another process is at work, says ${path}: ${advice}`);
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
    // A lock appears with its holder's name in it, or not at all.
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

/** Takes the lock of a dead process away. If another was quicker and has its own there already, that is put back. */
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
  // Of a process on another machine, nobody here knows more.
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Clocks are set back at times: what was touched long after now is as old. */
function ageOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? 0 : Math.abs(Date.now() - found.mtimeMs);
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Somebody removed it.
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
