import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { isAbsence, JournalError } from "./journal-fault.ts";

const WRITABLE_BY_OTHERS = 0o022;
const isWindows = process.platform === "win32";

/**
 * Makes a folder that only its owner can look into, unless it is there. Throws if it is not a folder, but a symbolic link or a file, or if
 * somebody else owns it or may change it.
 */
export function makePrivateFolder(path: string): void {
  let stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    makeFolder(path);
    stats = lstatSync(path);
  }
  if (!isPrivateFolder(stats))
    throw new JournalError("not-private", `journal: a folder of one's own is required, got ${path}`);
}

export function isPrivateFolder(stats: Stats): boolean {
  const isOpenToOthers = !isWindows && (stats.mode & WRITABLE_BY_OTHERS) !== 0;
  return stats.isDirectory() && isOwn(stats) && !isOpenToOthers;
}

/** Whether a file belongs to who runs this. Windows has other ways to say so, and a home that others cannot write to. */
export function isOwn({ uid }: Stats): boolean {
  return process.geteuid === undefined || uid === process.geteuid();
}

/**
 * Makes a folder that another may be making too, and those above it only if need be. One by one: where a file system says of every folder
 * that it is not there, as `/proc` does, Node's own way never ends.
 */
export function makeFolder(path: string): void {
  try {
    makeUnlessThere(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isAbsence(error) || parent === path) throw error;
    makeFolder(parent);
    makeUnlessThere(path);
  }
}

function makeUnlessThere(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
