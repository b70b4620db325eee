import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { pathIn, type RawPath, type SystemPath, shownPath } from "./raw-path.ts";

/** A folder of the workspace that was reached without following a symbolic link. */
export interface OpenFolder {
  /** The path of something in the folder, for calls of the file system. */
  at(name: RawPath): SystemPath;
  close(): void;
}

export interface OpenFolderOptions {
  /** Make the folders that are missing. */
  readonly isCreated?: boolean;
}

/** Why a folder cannot be opened, in words that follow "left as it is: ". */
export class FolderFault extends Error {
  override readonly name = "FolderFault";
}

/** Through this, Linux reaches into a folder that is open, whatever became of its path. */
const OPEN_FOLDERS = "/proc/self/fd";
const HAS_OPEN_FOLDERS = process.platform === "linux" && existsSync(OPEN_FOLDERS);

/**
 * Opens a folder of the workspace, name by name. Throws a {@link FolderFault} where a name is missing or is no folder.
 *
 * On Linux each folder is opened inside the one before, so that nobody can put a link in between. Elsewhere each is looked
 * at before it is used: an agent that still runs could win that race.
 */
export function openFolder(root: string, folder: RawPath, { isCreated = false }: OpenFolderOptions = {}): OpenFolder {
  const names = folder === "" ? [] : folder.split("/");
  return HAS_OPEN_FOLDERS ? openByDescriptor(root, names, isCreated) : openByPath(root, names, isCreated);
}

function openByDescriptor(root: string, names: readonly RawPath[], isCreated: boolean): OpenFolder {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  let descriptor = openSync(root, O_RDONLY | O_DIRECTORY);
  try {
    for (const name of names) {
      const path = pathIn(`${OPEN_FOLDERS}/${descriptor}`, name);
      if (isCreated) makeFolder(path);
      const next = attempt(name, () => openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
      closeSync(descriptor);
      descriptor = next;
    }
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return {
    at: (name) => pathIn(`${OPEN_FOLDERS}/${descriptor}`, name),
    close: () => closeSync(descriptor),
  };
}

function openByPath(root: string, names: readonly RawPath[], isCreated: boolean): OpenFolder {
  for (const [at, name] of names.entries()) {
    const path = pathIn(root, names.slice(0, at + 1).join("/"));
    if (isCreated) makeFolder(path);
    const found = attempt(name, () => lstatSync(path));
    if (!found.isDirectory()) throw notAFolder(name);
  }
  return { at: (name) => pathIn(root, [...names, name].join("/")), close: () => {} };
}

function makeFolder(path: SystemPath): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function attempt<Result>(name: RawPath, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new FolderFault(`the folder ${shownPath(name)} is gone`, { cause: error });
    if (code === "ENOTDIR" || code === "ELOOP") throw notAFolder(name, error);
    throw error;
  }
}

function notAFolder(name: RawPath, cause?: unknown): FolderFault {
  return new FolderFault(`${shownPath(name)} is a link or a file now, where a folder was`, { cause });
}
