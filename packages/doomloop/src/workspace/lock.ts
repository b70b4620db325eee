import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DoomloopError } from "../core/doomloop-error.ts";

const NAME = "lock";
const PAUSE_MS = 25;
const PATIENCE_MS = 10_000;
/** Locks of this process. In a container, one that died had the same number. */
const held = new Set<string>();

/**
 * Runs a piece of work while no other process works on the same folder. Waits for the other one for some seconds, and
 * throws a {@link DoomloopError} then. A process that died leaves a lock that the next one breaks.
 */
export async function withLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const path = join(folder, NAME);
  const mine = `${process.pid} ${hostname()} ${randomBytes(6).toString("hex")}`;
  for (let waited = 0; !take(path, mine); waited += PAUSE_MS) {
    if (waited >= PATIENCE_MS) {
      throw new DoomloopError("workspace-busy", `workspace: another process is at work, says ${path}`);
    }
    await delay(PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    held.delete(mine);
    if (read(path) === mine) rmSync(path, { force: true });
  }
}

function take(path: string, mine: string): boolean {
  const holder = read(path);
  if (holder !== undefined && isAlive(holder)) return false;
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

function isAlive(holder: string): boolean {
  const [pid = "", host] = holder.split(" ");
  // Of a process on another machine, nobody here knows.
  if (!/^\d+$/.test(pid) || host !== hostname()) return true;
  if (Number(pid) === process.pid) return held.has(holder);
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
