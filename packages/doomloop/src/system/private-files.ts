import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

const WRITABLE_BY_OTHERS = 0o022;
const isWindows = process.platform === "win32";
/** Refuses a link, and does not hang on a pipe that somebody put there. Windows has neither flag. */
export const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Makes a folder that only its owner can look into, unless it is there. Throws if it is not a folder, but a symbolic link or a file, or if
 * somebody else owns it or may change it.
 */
export function makePrivateFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) makeFolder(path);
  if (!isPrivateFolder(lstatSync(path))) throw new Error(`a folder that only you can change is required, got ${path}`);
}

export function isPrivateFolder(stats: Stats): boolean {
  const isOpenToOthers = !isWindows && (stats.mode & WRITABLE_BY_OTHERS) !== 0;
  return stats.isDirectory() && isOwn(stats) && !isOpenToOthers;
}

/** Whether a file belongs to the user who runs this. On Windows, the home folder is closed to others. */
export function isOwn({ uid }: Stats): boolean {
  return process.geteuid === undefined || uid === process.geteuid();
}

/**
 * Makes a folder that another process may be making too, and those above it only if needed. One by one: on a file system that says of
 * every folder that it is not there, as `/proc` does, Node's own way never ends.
 */
export function makeFolder(path: string): void {
  try {
    makeUnlessThere(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === path) throw error;
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

/** Replaces a file, which only its owner can read. A process that reads at the same time gets the old content or the new. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const beside = `${path}.${process.pid}.new`;
  // A process that was killed may have left one.
  rmSync(beside, { force: true });
  try {
    writeFileSync(beside, content, { mode: 0o600, flag: "wx" });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Reads a regular file of the user's, if it is not larger than `maxBytes`. Undefined otherwise. Follows no link and waits for no pipe. */
export function readOwnFile(path: string, maxBytes: number): string | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | SAFELY);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || !isOwn(stats) || stats.size > maxBytes) return undefined;
      const bytes = Buffer.alloc(stats.size);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, stats.size, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
