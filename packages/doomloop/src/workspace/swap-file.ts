import { linkSync, lstatSync, renameSync, rmdirSync, symlinkSync, unlinkSync } from "node:fs";
import { type FileVersion, isThere, isVersion, lookAt, permissionsOf } from "./file-version.ts";
import type { OpenFolder } from "./open-folder.ts";
import type { RawPath, SystemPath } from "./raw-path.ts";
import type { FileOutcome } from "./restore-journal.ts";

/** A file to replace, and the names needed for that. All are in one folder. */
export interface Swap {
  readonly folder: OpenFolder;
  readonly name: RawPath;
  /** The name to which the file is moved while it is checked. */
  readonly oldName: RawPath;
  /** The name of the new content. */
  readonly newName: RawPath;
  readonly from: FileVersion | undefined;
  readonly to: FileVersion | undefined;
  /** The target, if the new version is a link. */
  readonly linkTarget: Buffer | undefined;
  /** Whether this completes the work of an interrupted process. */
  readonly isRecovery: boolean;
  /** Called after every step. If the process is killed at any of them, the next process completes the work. */
  readonly onStep: (step: string) => void;
}

const ATTEMPTS = 3;
const MAX_NAME = 180;
const HAS_NO_HARD_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"];

/**
 * Replaces a file with another version without losing either. It first moves the file aside and checks it there, where
 * nobody can replace it any more. If the content is not in the safety checkpoint, it is saved beside the file.
 */
export function swapFile(swap: Swap): FileOutcome {
  const { folder, from, to, onStep } = swap;
  const own = folder.at(swap.name);
  const old = folder.at(swap.oldName);
  const kept: RawPath[] = [];
  const wasMoved = isThere(old);
  const putAside = (): void => {
    if (!isThere(old) || (from !== undefined && isVersion(old, from))) return;
    kept.push(keepBeside(swap));
    onStep("kept");
  };
  const settle = (outcome: FileOutcome = {}): FileOutcome => {
    if (!discard(old)) kept.push(swap.oldName);
    onStep("settled");
    return { ...outcome, ...(kept.length > 0 && { kept }) };
  };

  putAside();
  if (swap.isRecovery && isDone(own, to)) return settle();
  const isForeign = wasMoved || from === undefined || !isVersion(own, from);
  if (swap.isRecovery && isThere(own) && isForeign) {
    return settle({ leftBecause: "it changed after the restore was interrupted" });
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (lookAt(own)?.isDirectory() === true && !removeEmpty(own))
      return settle({ leftBecause: "a folder is in its place" });
    if (move(own, old)) onStep("moved");
    putAside();
    if (to !== undefined && !place(swap, own)) continue;
    onStep("placed");
    return settle();
  }
  return settle({ leftBecause: "another program keeps writing to it" });
}

/** Moves the file back if the swap cannot be finished. */
export function takeBack({ folder, name, oldName }: Pick<Swap, "folder" | "name" | "oldName">): void {
  if (isThere(folder.at(oldName)) && !isThere(folder.at(name))) renameSync(folder.at(oldName), folder.at(name));
}

/** Deletes a temporary file, and returns whether it is gone. On Windows, a file that somebody is reading may take several attempts. */
export function discard(path: SystemPath): boolean {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      unlinkSync(path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    }
  }
  return false;
}

function removeEmpty(folder: SystemPath): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function isDone(own: SystemPath, to: FileVersion | undefined): boolean {
  if (to === undefined) return !isThere(own);
  if (!isVersion(own, to)) return false;
  return process.platform === "win32" || to.mode === "120000" || permissionsOf(lstatSync(own)) === to.permissions;
}

/** Returns whether there was something to move. */
function move(own: SystemPath, old: SystemPath): boolean {
  try {
    renameSync(own, old);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** Puts the new version in its place. Returns false if somebody has written a file there meanwhile. */
function place({ folder, newName, linkTarget }: Swap, own: SystemPath): boolean {
  try {
    if (linkTarget !== undefined) symlinkSync(linkTarget, own);
    else linkSync(folder.at(newName), own);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (linkTarget !== undefined || !HAS_NO_HARD_LINKS.includes(code)) throw error;
    if (isThere(own)) return false;
    renameSync(folder.at(newName), own);
  }
  return true;
}

/** Gives a file that was moved aside a name under which its owner will find it. */
function keepBeside({ folder, name, oldName }: Swap): RawPath {
  for (let number = 1; ; number++) {
    const keptName = `${name.slice(0, MAX_NAME)}.doomloop-kept-${number}`;
    if (isThere(folder.at(keptName))) continue;
    renameSync(folder.at(oldName), folder.at(keptName));
    return keptName;
  }
}
