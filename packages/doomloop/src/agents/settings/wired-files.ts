import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { makeFolder, replaceFile } from "../../system/private-files.ts";
import { orUsageError } from "../../system/usage-error.ts";
import { listOf, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { WiredPlace } from "../coding-agent.ts";
import { HOOKED_AGENTS } from "../index.ts";

/** A file that `init` wrote our hooks to. It may be at a place that only the environment of that time leads to. */
export interface WiredFile {
  /** The name of the agent. */
  readonly host: string;
  readonly path: string;
  /** The commands that were written. */
  readonly commands: readonly string[];
  /** The agent's program, if it was on the path. */
  readonly program?: string | undefined;
}

/** All files that were noted. In others, hooks are recognised by their commands. */
export function wiredFiles(state: string): readonly WiredFile[] {
  return namesIn(folderOf(state)).flatMap((name) => readNote(join(folderOf(state), name)) ?? []);
}

/** Where an agent's hook was wired. */
export function wiredPlaces(state: string, host: string): readonly WiredPlace[] {
  const files = wiredFiles(state).filter((file) => file.host === host);
  return files.map(({ path, program }) => ({ folder: dirname(path), program }));
}

/** Notes where the program of an agent is, for hooks that start it. If that cannot be saved, they look for it themselves. */
export function noteProgram(state: string, host: string, program: string): void {
  for (const file of wiredFiles(state)) {
    if (file.host !== host || file.program === program) continue;
    try {
      noteWired(state, { ...file, program });
    } catch {
      return;
    }
  }
}

/** Notes a file, instead of what was noted of it before. Throws a `UsageError` if that fails. */
export function noteWired(state: string, file: WiredFile): void {
  orUsageError(`cannot note in ${state} what is wired`, () => {
    makeFolder(folderOf(state));
    replaceFile(noteOf(state, file.path), `${JSON.stringify(file)}\n`);
  });
}

export function forgetWired(state: string, path: string): void {
  rmSync(noteOf(state, path), { force: true });
}

function readNote(note: string): WiredFile | undefined {
  try {
    const value = recordOf(JSON.parse(readFileSync(note, "utf8"))) ?? {};
    const host = HOOKED_AGENTS.find(({ name }) => name === value.host)?.name;
    const path = textOf(value.path);
    const program = textOf(value.program);
    if (host === undefined || path === undefined) return undefined;
    const commands = listOf(value.commands).filter((one) => typeof one === "string");
    return { host, path, commands, ...(program !== undefined && isAbsolute(program) && { program }) };
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

function folderOf(state: string): string {
  return join(state, "wired");
}

function noteOf(state: string, path: string): string {
  return join(folderOf(state), `${createHash("sha256").update(path).digest("hex").slice(0, 32)}.json`);
}
