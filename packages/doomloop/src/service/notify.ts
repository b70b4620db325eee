import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { LogEntry } from "../agents/hook/intervention-log.ts";
import { makePrivateFolder, readOwnFile, replaceFile } from "../system/private-files.ts";

const MAX_BYTES = 10_000;
/** What a person who is not there wants to know. */
const NOTIFIED = new Set<LogEntry["said"]>(["end", "alarm", "start-over"]);

/**
 * Runs the command that the user gave to `init --notify`, when a run is ended, should be ended but cannot, or starts over. Its arguments are the agent, what was done,
 * the kind of loop, the tool and the count: names of our own and names that look like identifiers. If a run starts over, a sixth says what
 * became of its files, in letters that no shell takes for anything else.
 */
export function notifyOf(state: string, entry: LogEntry): void {
  const { said, host = "", kind = "", tool = "", count = 0 } = entry;
  if (!NOTIFIED.has(said)) return;
  const command = readOwnFile(notifyFile(state), MAX_BYTES)?.trim();
  if (!command) return;
  const done = said === "start-over" ? [(entry.words ?? "").replaceAll(/[^\w .:,]/g, "")] : [];
  const words = [host, said, kind, /^[\w.-]{1,64}$/.test(tool) ? tool : "", String(count), ...done];
  const [program, args] =
    process.platform === "win32"
      ? ["cmd.exe", ["/d", "/s", "/c", command]]
      : ["/bin/sh", ["-c", `${command} "$@"`, "doomloop", ...words]];
  const child = spawn(program, args, { detached: true, stdio: "ignore", windowsHide: true, cwd: state });
  child.on("error", () => {});
  child.unref();
}

/** Keeps the command, or forgets it if it is empty. */
export function saveNotify(state: string, command: string): void {
  if (command.trim() === "") {
    rmSync(notifyFile(state), { force: true });
    return;
  }
  makePrivateFolder(state);
  replaceFile(notifyFile(state), command);
}

/** Where the command is kept: in the user's home, never in a repository. */
function notifyFile(state: string): string {
  return join(state, "notify");
}
