import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LAYOUT } from "./shadow-repository.ts";

/** The checkpoints of one workspace, as they lie on the disk. */
export interface KeptCopies {
  /** The workspace. Undefined if nobody can tell any more. */
  readonly root: string | undefined;
  readonly folder: string;
  readonly bytes: number;
}

/** Where the checkpoints of all workspaces are. */
export function workspacesFolder(state: string): string {
  return join(state, "workspaces");
}

/** All checkpoints below a state folder, the largest first. */
export function keptCopies(state: string): readonly KeptCopies[] {
  const home = workspacesFolder(state);
  return namesIn(home)
    .map((name) => join(home, name))
    .filter((folder) => lstatSync(folder).isDirectory() && !isEmpty(folder))
    .map((folder) => ({ folder, root: rootOf(folder), bytes: bytesIn(folder) }))
    .sort((one, other) => other.bytes - one.bytes);
}

/** Whether no checkpoint was ever made here. In a layout of another version, nobody can tell. */
function isEmpty(folder: string): boolean {
  return rootOf(folder) !== undefined && namesIn(join(folder, LAYOUT, "checkpoints")).length === 0;
}

function rootOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, LAYOUT, "root"), "utf8");
  } catch {
    return undefined;
  }
}

/** The size of all files in a folder. */
function bytesIn(folder: string): number {
  let bytes = 0;
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const name of namesIn(at)) {
      const path = join(at, name);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found?.isDirectory()) waiting.push(path);
      else bytes += found?.size ?? 0;
    }
  }
  return bytes;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It is not there, or not ours.
    return [];
  }
}
