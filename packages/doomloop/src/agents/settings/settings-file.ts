import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { readFault, UsageError } from "../../system/usage-error.ts";

/** A file of somebody's settings, as it is. */
export interface SettingsFile {
  /** Where it really is: behind a link, what the link leads to. */
  readonly path: string;
  /** Undefined where there is none. */
  readonly bytes: Buffer | undefined;
  readonly mode: number;
}

const MAX_BYTES = 5_000_000;
const DEFAULT_MODE = 0o600;
const PROGRAM_MODE = 0o755;

/** Reads a file of settings. Throws a `UsageError` for what is no plain file, or a link that leads nowhere. */
export function readSettings(path: string, isProgram = false): SettingsFile {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { path, bytes: undefined, mode: isProgram ? PROGRAM_MODE : DEFAULT_MODE };
    const real = realpathSync(path);
    const { mode, size } = plainFile(real);
    if (size > MAX_BYTES) throw new UsageError(`${path}: too large for a file of settings`);
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

/** The text of a file; undefined where it is none in UTF-8, which could not be written back as it was. */
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
 * Writes a file so that whoever reads at the same time reads the old text or the new one. Throws a `UsageError` if it is no longer
 * what it was when somebody looked at the change.
 */
export function writeSettings(before: SettingsFile, bytes: Buffer): void {
  const { path, mode } = before;
  const beside = join(dirname(path), `.doomloop-${randomBytes(8).toString("hex")}`);
  try {
    for (const folder of missingFolders(path)) mkdirSync(folder, { mode: 0o700 });
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

/** Removes a file, unless it is no longer what it was when somebody looked at the change. */
export function removeSettings(before: SettingsFile): void {
  requireUnchanged(before);
  rmSync(before.path, { force: true });
}

/** Removes folders that were made for files, outermost first, where nothing is in them any more. */
export function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody else has put something there.
    }
  }
}

export function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function requireUnchanged({ path, bytes }: SettingsFile): void {
  const now = readSettings(path).bytes;
  if (now === bytes || (now !== undefined && bytes?.equals(now) === true)) return;
  throw new UsageError(`${path} has changed in the meantime; nothing was written to it`);
}

/** A file keeps its mode and its owner, where that is possible. */
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

/** The folders of a file that are not there yet, outermost first. */
export function missingFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let at = dirname(path); statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) {
    missing.unshift(at);
  }
  return missing;
}
