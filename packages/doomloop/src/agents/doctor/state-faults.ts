import { lstatSync, mkdtempSync, rmdirSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOwn, isPrivateFolder, makePrivateFolder } from "../../system/private-files.ts";
import { readFault } from "../../system/usage-error.ts";
import { isAddressable, residentAddress, runFolder } from "../hook-client/resident-address.ts";

const SILENT = "hooks are off";
/** As large as the state of a short run. */
const SAMPLE = "0".repeat(10_000);

/** What keeps hooks from saving a run. A trial does not show that, because it is not saved. Leaves nothing behind. */
export function stateFaults(state: string): readonly string[] {
  const runs = join(state, "sessions");
  const faults = [state, runFolder(state), runs].flatMap((folder) => folderFault(folder, SILENT));
  if (process.platform !== "win32" && !isAddressable(residentAddress(state)))
    return [...faults, `${state} is too long a path for a socket: ${SILENT}; set a shorter one with XDG_STATE_HOME`];
  if (faults.some((fault) => fault.endsWith(SILENT))) return faults;
  const writing = writeFault(state, runs);
  return writing === undefined ? faults : [...faults, `nothing can be kept in ${runs} (${writing}): ${SILENT}`];
}

/** Why hooks do not use a folder, how to repair it, and what the effect is. */
function folderFault(path: string, effect: string): readonly string[] {
  const stats = statsOf(path);
  if (stats === undefined || isPrivateFolder(stats)) return [];
  return [`${path} ${trouble(path, stats)}: until then, ${effect}`];
}

function trouble(path: string, stats: Stats): string {
  if (stats.isSymbolicLink()) return "is a symbolic link; put the folder itself there, or name it with XDG_STATE_HOME";
  if (!stats.isDirectory()) return "is not a folder; remove it";
  return isOwn(stats)
    ? `can be changed by others; chmod 700 '${path}'`
    : `belongs to somebody else; chown it, or remove it`;
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Something above it is not a folder, or cannot be read. The trial of writing reports that.
    return undefined;
  }
}

/** Writes what a hook would write: a folder for a run, and a file in it. */
function writeFault(state: string, runs: string): string | undefined {
  const absent = [runs, state].filter((path) => statsOf(path) === undefined);
  try {
    makePrivateFolder(runs);
    const run = mkdtempSync(join(runs, "doctor-"));
    try {
      writeFileSync(join(run, "0"), SAMPLE, { mode: 0o600 });
    } finally {
      rmSync(run, { recursive: true, force: true });
    }
    return undefined;
  } catch (error) {
    return readFault(error);
  } finally {
    for (const path of absent) removeEmpty(path);
  }
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // A hook has begun to use it.
  }
}
