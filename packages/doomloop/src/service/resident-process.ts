import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runFolder } from "../agents/hook-client/resident-address.ts";
import { readOwnFile, replaceFile } from "../system/private-files.ts";

/** How long a process that was asked to end may take, and how often to look. */
const GRACE_MS = 3_000;
const PAUSE_MS = 50;
const MAX_FILE_BYTES = 200;
/** The start time is the 22nd field; the second is the program's name, in parentheses, and may hold anything. */
const START_FIELD = 19;

/** Notes which process the resident of a state folder is. Returns a function that takes the note back. On a full disk, nothing is noted. */
export function noteProcess(state: string, onFault: (fault: unknown) => void): () => void {
  const text = `${process.pid} ${startOf(process.pid) ?? ""}\n`;
  try {
    replaceFile(fileOf(state), text);
  } catch (fault) {
    onFault(fault);
  }
  return () => {
    if (readOwnFile(fileOf(state), MAX_FILE_BYTES) === text) rmSync(fileOf(state), { force: true });
  };
}

/**
 * The process that was noted, if it is still there. It is known by its number and by the time of its start, so a process that got the same
 * number later is not taken for it. Not known on Windows.
 */
export function notedProcess(state: string): number | undefined {
  const [, number, start] = /^(\d{1,10}) (.+)\n$/.exec(readOwnFile(fileOf(state), MAX_FILE_BYTES) ?? "") ?? [];
  const pid = Number(number);
  return number !== undefined && pid !== process.pid && startOf(pid) === start ? pid : undefined;
}

/** Ends the process that was noted: it is asked first, and then killed. A process that is stopped or hangs does not hear a question. */
export async function endProcess(state: string, graceMs = GRACE_MS): Promise<void> {
  const pid = notedProcess(state);
  if (pid === undefined) return;
  const start = startOf(pid);
  const isThere = (): boolean => start !== undefined && startOf(pid) === start;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!isThere()) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const end = performance.now() + graceMs;
    while (isThere() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function fileOf(state: string): string {
  return join(runFolder(state), "pid");
}

/** When a process started, as its system says it. Undefined if there is none, or if it has ended and nobody has taken note yet. */
function startOf(pid: number): string | undefined {
  try {
    if (process.platform === "win32") return undefined;
    if (process.platform !== "linux")
      return execFileSync("/bin/ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env: {} }).trim();
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[START_FIELD];
  } catch {
    return undefined;
  }
}
