import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../system/private-files.ts";
import { readFault, UsageError } from "../../system/usage-error.ts";

/** A file of settings with its current content. */
export interface SettingsFile {
  /** The real path. For a link, the path that it leads to. */
  readonly path: string;
  /** Undefined if there is no file. */
  readonly bytes: Buffer | undefined;
  readonly mode: number;
}

const MAX_BYTES = 5_000_000;
const DEFAULT_MODE = 0o600;
const PROGRAM_MODE = 0o755;

/** Reads a file of settings. Throws a `UsageError` for anything but a regular file, and for a broken link. */
export function readSettings(path: string, isProgram = false): SettingsFile {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { path, bytes: undefined, mode: isProgram ? PROGRAM_MODE : DEFAULT_MODE };
    const real = realpathSync(path);
    const { mode, size } = plainFile(real);
    if (size > MAX_BYTES) throw new UsageError(`${path}: too large for a settings file`);
    return { path: real, bytes: readFileSync(real), mode: mode & 0o7777 };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot read ${path}: ${readFault(error)}`, { cause: error });
  }
}

function plainFile(path: string): Stats {
  const stats = statSync(path);
  if (!stats.isFile()) throw new UsageError(`${path}: a plain file is required`);
  return stats;
}

/** The text of a file. Undefined if it is not UTF-8, because then it could not be written back unchanged. */
export function textOfSettings({ bytes }: SettingsFile): string | undefined {
  if (bytes === undefined) return "";
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
}

/** The text of a file; empty if it cannot be read. */
export function textIn(path: string): string {
  try {
    return textOfSettings(readSettings(path)) ?? "";
  } catch (error) {
    if (error instanceof UsageError) return "";
    throw error;
  }
}

/**
 * Writes a file. A process that reads at the same time gets the old content or the new. Throws a `UsageError` if the file has changed since
 * the change was planned.
 */
export function writeSettings(before: SettingsFile, bytes: Buffer): void {
  const { path, mode } = before;
  const beside = join(dirname(path), `.doomloop-${randomBytes(8).toString("hex")}`);
  try {
    makeFolder(dirname(path));
    requireUnchanged(before);
    const file = openSync(beside, "wx", mode);
    try {
      writeFileSync(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    keepOwner(path, beside, mode);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot write ${path}: ${readFault(error)}`, { cause: error });
  }
}

/** Removes a file. Throws a `UsageError` if it has changed since the removal was planned. */
export function removeSettings(before: SettingsFile): void {
  requireUnchanged(before);
  rmSync(before.path, { force: true });
}

function requireUnchanged({ path, bytes }: SettingsFile): void {
  const now = readSettings(path).bytes;
  if (now === bytes || (now !== undefined && bytes?.equals(now) === true)) return;
  throw new UsageError(`${path} has changed in the meantime; nothing was written to it`);
}

/** Keeps the mode and, if possible, the owner of a file. */
function keepOwner(path: string, beside: string, mode: number): void {
  if (process.platform === "win32") return;
  chmodSync(beside, mode);
  const old = statSync(path, { throwIfNoEntry: false });
  const own = statSync(beside);
  if (old === undefined || (old.uid === own.uid && old.gid === own.gid)) return;
  try {
    chownSync(beside, old.uid, old.gid);
  } catch {
    // Only an administrator may give files away.
  }
}
