import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from "node:fs";

import type { SystemPath } from "./raw-path.ts";

/** A file at one time: its content, its kind and its permissions. */
export interface FileVersion {
  /** The id of the content in the shadow repository. */
  readonly id: string;
  readonly mode: FileMode;
  /** Permissions, such as 0o644. */
  readonly permissions: number;
}

/** Git's modes: a file, an executable file, a symbolic link. */
export type FileMode = "100644" | "100755" | "120000";

const CHUNK_BYTES = 1 << 20;
const PERMISSIONS = 0o777;
/** Windows lacks the last two. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Whether a file on disk has this kind and content. Of the permissions, it only checks whether the file is executable. */
export function isVersion(path: SystemPath, version: FileVersion): boolean {
  try {
    const found = lstatSync(path);
    if (modeOf(found) !== version.mode) return false;
    return (found.isSymbolicLink() ? linkId(path) : fileId(path)) === version.id;
  } catch (error) {
    // A file that cannot be read may be different.
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

/** The permissions that most files have. */
export function usualPermissions(mode: FileMode): number {
  return mode === "100755" ? 0o755 : 0o644;
}

/** What is at a path, without following a link; undefined if there is nothing. */
export function lookAt(path: SystemPath): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // One of the folders in the path is a file now.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Whether something is at a path, even a broken link. A path that this user may not look at counts as taken. */
export function isThere(path: SystemPath): boolean {
  try {
    return lookAt(path) !== undefined;
  } catch (error) {
    if (isForbidden(error)) return true;
    throw error;
  }
}

/** Whether the error means that this user has no permission. */
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

/** Git's id of a content: SHA-1 over kind, length and content. */
function blobHash(length: number): ReturnType<typeof createHash> {
  return createHash("sha1").update(`blob ${length}\0`);
}
