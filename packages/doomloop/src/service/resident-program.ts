import { closeSync, existsSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { RESIDENT_LOG } from "../agents/hook-client/resident-address.ts";
import { noteFailedStart } from "../agents/hook-client/start-resident.ts";
import { packageVersion } from "../system/package-folder.ts";
import { isPrivateFolder, readOwnFile, replaceFile } from "../system/private-files.ts";
import { notifyOf } from "./notify.ts";
import { startResident } from "./resident.ts";

/** The program of the resident guard. Hooks start it when nobody listens: `resident-program.js --state FOLDER`. */
const IDLE_MS = 30 * 60_000;
const MAX_LOG_BYTES = 65_536;

const [, , flag, state = ""] = process.argv;
if (flag !== "--state" || !isAbsolute(state)) {
  process.stderr.write("resident: --state with an absolute path is required\n");
  process.exit(2);
}

// Whoever starts it makes the folder first. Somebody has removed it since, and does not want another one.
if (!existsSync(state)) process.exit(0);
closeInherited();
let isStarted = false;
process.on("uncaughtException", (fault) => {
  note(fault);
  if (!isStarted) noteFailedStart(state);
  process.exit(1);
});
const version = packageVersion();
const resident = await startResident({
  state,
  version,
  isOutdated,
  idleMs: IDLE_MS,
  onFault: note,
  onEntry: (entry) => notifyOf(state, entry),
});
if (resident === undefined) process.exit(0);
isStarted = true;
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void resident.end());
await resident.ended;
process.exit(0);

/** Whether another version was installed in the same place. If the package is gone, the code in memory is all there is. */
function isOutdated(): boolean {
  try {
    return packageVersion() !== version;
  } catch {
    return false;
  }
}

/** Closes files of the agent that reached this process, such as a lock that a script holds while it runs. Linux only. */
function closeInherited(): void {
  if (process.platform !== "linux") return;
  for (const name of readdirSync("/proc/self/fd")) {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`);
      if (Number(name) > 2 && path.startsWith("/") && !/^\/(?:dev|proc)\//.test(path)) closeSync(Number(name));
    } catch {
      // It is closed already.
    }
  }
}

/** Notes what went wrong where `doctor` finds it. There is nobody who reads what this process prints. */
function note(fault: unknown): void {
  try {
    // A folder that others can change may hold links.
    if (!isPrivateFolder(lstatSync(state))) return;
    const file = join(state, RESIDENT_LOG);
    const line = `${new Date().toISOString()} ${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}\n`;
    const known = readOwnFile(file, MAX_LOG_BYTES) ?? "";
    replaceFile(file, known.length > MAX_LOG_BYTES / 2 ? line : `${known}${line}`);
  } catch {
    // The disk is full.
  }
}
