import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { GRAVE, type LogEntry } from "../agents/hook/intervention-log.ts";
import { makePrivateFolder, readOwnFile, replaceFile } from "../system/private-files.ts";

const MAX_BYTES = 10_000;
/**
 * Runs the command that the user gave to `init --notify`. Its arguments are the agent, what was done, the kind of loop, the tool, the count
 * and the latest checkpoint: names of our own and names that look like identifiers.
 */
export function notifyOf(state: string, entry: LogEntry): void {
  const { said, host = "", kind = "", tool = "", count = 0, checkpoint = "" } = entry;
  if (!GRAVE.has(said)) return;
  const command = readOwnFile(notifyFile(state), MAX_BYTES)?.trim();
  if (!command) return;
  const words = [host, said, kind, /^[\w.-]{1,64}$/.test(tool) ? tool : "", String(count), checkpoint];
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
