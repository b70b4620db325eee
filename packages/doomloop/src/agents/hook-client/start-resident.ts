import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../../system/package-folder.ts";
import { failedFile, startingFile } from "./resident-address.ts";

/** Another process may be starting the resident. After this time, it has failed. */
const STARTING_MS = 20_000;
/** A resident that failed to start is neither started nor waited for again for so long. */
const FAILED_MS = 60_000;
/** Programs that the resident starts, such as git, are looked for here. The agent's own path may be a repository's. */
const PATH = "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin";
const WINDOWS_VARIABLES = ["SystemRoot", "WINDIR", "TEMP", "TMP", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "PATH"];
const USUAL_STATE = "/.local/state/doomloop";

/** A resident that this process, or another one, is starting. */
export interface StartingResident {
  /** Whether it failed, so that there is nothing to wait for. */
  hasFailed(): boolean;
}

/**
 * Starts the resident, in a process of its own that outlives this one and knows nothing of the agent's folder and environment. If another
 * process has just done that, it is only waited for. Never throws.
 */
export function startResidentProcess(state: string, node: string): StartingResident {
  let isOver = false;
  try {
    if (isInForeignFolder(state)) isOver = true;
    else if (!hasStartFailed(state) && isFirst(startingFile(state))) {
      const child = spawn(node, [residentProgram(), "--state", state], {
        detached: true,
        stdio: "ignore",
        cwd: state,
        env: process.platform === "win32" ? windowsEnvironment() : { PATH, HOME: homeOf(state), LANG: "C.UTF-8" },
        windowsHide: true,
      });
      const end = (code: number | null): void => {
        isOver = true;
        // With success, it ends because another one is there.
        if (code !== 0) noteFailedStart(state);
      };
      child.on("error", () => end(null));
      child.on("exit", end);
      child.unref();
    }
  } catch (error) {
    // The state folder cannot be written to. Then there is no guard, and nothing to wait for.
    isOver = (error as NodeJS.ErrnoException).code !== "EEXIST";
  }
  return { hasFailed: () => isOver || hasStartFailed(state) };
}

/** Whether this is root in a folder of somebody else. That user could not write to what root makes there. */
function isInForeignFolder(path: string): boolean {
  if (process.geteuid?.() !== 0) return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? isInForeignFolder(dirname(path)) : stats.uid !== 0;
}

/** Whether the latest start of the resident failed, within the last minute. Then the next event does not start it. */
export function hasStartFailed(state: string): boolean {
  const startedAgo = ageOf(startingFile(state));
  return ageOf(failedFile(state)) < FAILED_MS || (startedAgo >= STARTING_MS && startedAgo < FAILED_MS);
}

/** Whether the resident is being started. */
export function isStarting(state: string): boolean {
  return !hasStartFailed(state) && ageOf(startingFile(state)) < STARTING_MS;
}

/** Notes that the resident could not start, so that no event waits for it in the next minute. Never throws. */
export function noteFailedStart(state: string): void {
  try {
    rmSync(startingFile(state), { force: true });
    rmSync(failedFile(state), { force: true });
    writeFileSync(failedFile(state), "", { mode: 0o600, flag: "wx" });
  } catch {
    // The folder is gone, or nothing can be written to it. Then nobody waits either.
  }
}

/** Takes back what was noted about starting the resident: it is there, or a person wants another try. Never throws. */
export function forgetStart(state: string): void {
  try {
    for (const file of [startingFile(state), failedFile(state)]) rmSync(file, { force: true });
  } catch {
    // The folder belongs to somebody else.
  }
}

/** The file of the resident's program. The source runs as it is. */
function residentProgram(): string {
  const [folder, ending] = import.meta.url.endsWith(".ts") ? ["src", "ts"] : ["dist", "js"];
  return fileURLToPath(new URL(`${folder}/service/resident-program.${ending}`, packageFolder));
}

/** Whether nobody else has begun to start it lately. */
function isFirst(path: string): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (ageOf(path) < FAILED_MS) return false;
  rmSync(path, { force: true });
  closeSync(openSync(path, "wx", 0o600));
  return true;
}

/** The age of a file. Infinite if there is none, or if its folder is closed to us. */
function ageOf(path: string): number {
  try {
    return Math.abs(Date.now() - statSync(path).mtimeMs);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The home folder of this user. A user of a container may have no entry in its list of users: then it is where the state usually is. */
function homeOf(state: string): string {
  try {
    return userInfo().homedir;
  } catch {
    return state.endsWith(USUAL_STATE) ? state.slice(0, -USUAL_STATE.length) || "/" : state;
  }
}

function windowsEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(WINDOWS_VARIABLES.map((name) => [name, process.env[name]]));
}
