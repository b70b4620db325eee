import { closeSync, constants, fchmodSync, fsyncSync, openSync, rmdirSync } from "node:fs";
import { getSystemErrorMessage } from "node:util";
import type { BlobReader } from "./blob-reader.ts";
import { type FileVersion, isThere } from "./file-version.ts";
import { FolderFault, type OpenFolder, openFolder } from "./open-folder.ts";
import type { PlannedFile } from "./plan-restore.ts";
import { nameOf, parentOf, pathIn, type RawPath, type SystemPath } from "./raw-path.ts";
import type { FileOutcome } from "./restore-journal.ts";
import { discard, swapFile, takeBack } from "./swap-file.ts";
import { isOwnRepository } from "./user-repositories.ts";

export interface RestoreFileOptions {
  readonly root: string;
  readonly blobs: BlobReader;
  /** Part of the name of every temporary file. */
  readonly prefix: string;
  /** Folders that stay even if they become empty. */
  readonly staying: ReadonlySet<RawPath>;
  /** Permissions of new folders that are not the usual ones. */
  readonly permissions: ReadonlyMap<RawPath, number>;
  readonly isRecovery: boolean;
  readonly onStep: (step: string) => void;
}

const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW = 0 } = constants;

/** Restores one file. If that fails, it leaves the file as it is, and the outcome says why. Never throws because of the file. */
export async function restoreFile(file: PlannedFile, options: RestoreFileOptions): Promise<FileOutcome> {
  const missing = foldersMissing(options.root, file);
  const outcome = await attempt(file, options);
  const isPutThere = file.to !== undefined && outcome.leftBecause === undefined;
  // Remove folders that were created for nothing.
  if (file.to !== undefined && !isPutThere) for (const folder of missing) removeFolder(options.root, folder);
  if (file.to === undefined) removeEmptyFolders(options.root, parentOf(file.path), options.staying);
  options.onStep("pruned");
  return outcome;
}

async function attempt(file: PlannedFile, options: RestoreFileOptions): Promise<FileOutcome> {
  const { root, permissions } = options;
  try {
    if (isNested(root, file.path)) return { leftBecause: "it is in a separate repository" };
    const folder = openFolder(root, parentOf(file.path), { isCreated: file.to !== undefined, permissions });
    try {
      return await exchange(file, folder, options);
    } finally {
      folder.close();
    }
  } catch (error) {
    // A file in a folder that is gone need not be deleted.
    const isGone = error instanceof FolderFault && file.to === undefined && !isThere(pathIn(root, file.path));
    return isGone ? {} : { leftBecause: whyNot(error) };
  }
}

async function exchange(file: PlannedFile, folder: OpenFolder, options: RestoreFileOptions): Promise<FileOutcome> {
  const { path, from, to } = file;
  const { blobs, prefix, isRecovery, onStep } = options;
  const names = { name: nameOf(path), oldName: `${prefix}.old`, newName: `${prefix}.new` };
  try {
    const linkTarget = to?.mode === "120000" ? await blobs.read(to.id) : undefined;
    if (to !== undefined && linkTarget === undefined) await stage(folder.at(names.newName), to, blobs);
    onStep("staged");
    return swapFile({ ...names, folder, from, to, linkTarget, isRecovery, onStep });
  } catch (error) {
    takeBack({ ...names, folder });
    throw error;
  } finally {
    discard(folder.at(names.newName));
  }
}

/** Writes a content to a temporary file. */
async function stage(path: SystemPath, { id, permissions }: FileVersion, blobs: BlobReader): Promise<void> {
  discard(path);
  const descriptor = openSync(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    await blobs.copy(id, descriptor);
    if (process.platform !== "win32") fchmodSync(descriptor, permissions);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a parent folder has a repository of its own. */
function isNested(root: string, path: RawPath): boolean {
  return foldersAbove(path).some((folder) => isOwnRepository(root, folder));
}

/** The folders that must be created for a file, the innermost first. */
function foldersMissing(root: string, { path, to }: PlannedFile): readonly RawPath[] {
  return to === undefined ? [] : foldersAbove(path).filter((folder) => !isThere(pathIn(root, folder)));
}

/** The parent folders, the innermost first, without the workspace itself. */
function foldersAbove(path: RawPath): readonly RawPath[] {
  const folders: RawPath[] = [];
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) folders.push(folder);
  return folders;
}

/** Removes the folders that a deletion emptied, the innermost first, up to one that stays. */
function removeEmptyFolders(root: string, emptied: RawPath, staying: ReadonlySet<RawPath>): void {
  for (let path = emptied; path !== "" && !staying.has(path); path = parentOf(path)) {
    if (!removeFolder(root, path)) return;
  }
}

/** Returns whether the folder is gone now. A folder that is not empty stays. */
function removeFolder(root: string, path: RawPath): boolean {
  try {
    const above = openFolder(root, parentOf(path));
    try {
      rmdirSync(above.at(nameOf(path)));
    } finally {
      above.close();
    }
    return true;
  } catch {
    // An earlier process may have removed it already.
    return !isThere(pathIn(root, path));
  }
}

function whyNot(error: unknown): string {
  if (error instanceof FolderFault) return error.message;
  const { errno, syscall, message } = error as NodeJS.ErrnoException;
  return errno !== undefined && syscall !== undefined ? getSystemErrorMessage(errno) : message;
}
