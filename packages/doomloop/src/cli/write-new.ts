import { closeSync, constants, lstatSync, openSync, type Stats, statSync, writeFileSync } from "node:fs";
import { readFault } from "../system/read-fault.ts";
import { UsageError } from "../system/usage-error.ts";

export interface WriteNewOptions {
  /** Write over a file that is there already. */
  readonly isForced: boolean;
  /** Files that were read: they are never written over. */
  readonly read: readonly string[];
}

/** Writes a file that the user named, and that is not there yet. Throws a `UsageError` where it is, or cannot be written. Follows no symbolic link. */
export function writeNew(path: string, text: string, { isForced, read }: WriteNewOptions): void {
  const there = lookAt(path);
  if (there?.isSymbolicLink()) throw new UsageError(`cannot write ${path}: it is a symbolic link`);
  if (there !== undefined && !there.isFile()) throw new UsageError(`cannot write ${path}: it is not a file`);
  if (there !== undefined && read.some((other) => isSame(path, other)))
    throw new UsageError(`cannot write ${path}: it was read for this`);
  if (there !== undefined && !isForced) throw new UsageError(`${path} is there already; --force writes over it`);
  // Looked at above for the words; these flags hold if somebody was quicker.
  const { O_WRONLY, O_CREAT, O_EXCL, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  try {
    const file = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | (isForced ? O_TRUNC : O_EXCL), 0o666);
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${readFault(error)}`, { cause: error });
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${readFault(error)}`, { cause: error });
  }
}

function isSame(path: string, other: string): boolean {
  const [one, two] = [path, other].map((name) => statSync(name, { throwIfNoEntry: false, bigint: true }));
  return one !== undefined && two !== undefined && one.dev === two.dev && one.ino === two.ino;
}
