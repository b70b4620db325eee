import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from "node:fs";

import type { SystemPath } from "./raw-path.ts";

/** A file at one time: what is in it, what it is, and who may use it. */
export interface FileVersion {
  /** The id of the content in the shadow repository. */
  readonly id: string;
  readonly mode: FileMode;
  /** Permissions, such as 0o644. */
  readonly permissions: number;
}

/** As git has it: a file, a file that can be run, a symbolic link. */
export type FileMode = "100644" | "100755" | "120000";

const CHUNK_BYTES = 1 << 20;
const PERMISSIONS = 0o777;
/** Windows has none of these. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Whether a file on disk is the one that is meant: its kind and its content. Of permissions, only whether it can be run. */
export function isVersion(path: SystemPath, version: FileVersion): boolean {
  try {
    const found = lstatSync(path);
    if (modeOf(found) !== version.mode) return false;
    return (found.isSymbolicLink() ? linkId(path) : fileId(path)) === version.id;
  } catch (error) {
    // What cannot be read is not known to be the same.
    if (["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EINVAL"].includes((error as NodeJS.ErrnoException).code ?? "")) {
      return false;
    }
    throw error;
  }
}

export function modeOf(found: Stats): FileMode | undefined {
  if (found.isSymbolicLink()) return "120000";
  if (!found.isFile()) return undefined;
  return process.platform !== "win32" && (found.mode & 0o100) !== 0 ? "100755" : "100644";
}

export function permissionsOf(found: Stats): number {
  return found.mode & PERMISSIONS;
}

/** Permissions that go without saying. */
export function usualPermissions(mode: FileMode): number {
  return mode === "100755" ? 0o755 : 0o644;
}

/** What is there, itself and not what it leads to; undefined if nothing is. */
export function lookAt(path: SystemPath): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A file stands where its folder was.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Whether something is there, a broken link too. What nobody may look at is taken to be there. */
export function isThere(path: SystemPath): boolean {
  try {
    return lookAt(path) !== undefined;
  } catch (error) {
    if (isForbidden(error)) return true;
    throw error;
  }
}

/** Whether this user may not look there. */
export function isForbidden(error: unknown): boolean {
  return ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
}

function linkId(path: SystemPath): string {
  const target = readlinkSync(path, "buffer");
  return blobHash(target.length).update(target).digest("hex");
}

function fileId(path: SystemPath): string | undefined {
  const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) return undefined;
    const hash = blobHash(found.size);
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, found.size + 1));
    for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
      hash.update(chunk.subarray(0, length));
    }
    return hash.digest("hex");
  } finally {
    closeSync(descriptor);
  }
}

/** Git's name of a content: SHA-1 over its kind, its length and itself. */
function blobHash(length: number): ReturnType<typeof createHash> {
  return createHash("sha1").update(`blob ${length}\0`);
}
