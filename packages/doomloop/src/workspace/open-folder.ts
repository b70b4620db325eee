import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
} from "node:fs";
import { pathIn, type RawPath, type SystemPath, shownPath } from "./raw-path.ts";

/** A folder of the workspace that was reached without following a symbolic link. */
export interface OpenFolder {
  /** The path of something in the folder, for file system calls. */
  at(name: RawPath): SystemPath;
  close(): void;
}

export interface OpenFolderOptions {
  /** Create missing folders. */
  readonly isCreated?: boolean;
  /** Permissions of new folders that are not the usual ones. */
  readonly permissions?: ReadonlyMap<RawPath, number>;
}

/** Why a folder cannot be opened, worded to follow "left as it is: ". */
export class FolderFault extends Error {
  override readonly name = "FolderFault";
}

/** On Linux, these paths lead into an open folder even if the folder has been moved. */
const OPEN_FOLDERS = "/proc/self/fd";
/** The permissions that most folders have. */
export const USUAL_FOLDER = 0o755;
const OWN = 0o700;
/** Setuid, setgid and sticky. A new folder may inherit one of them. */
const INHERITED = 0o7000;
const HAS_OPEN_FOLDERS = process.platform === "linux" && existsSync(OPEN_FOLDERS);

/**
 * Opens a folder of the workspace, name by name. Throws a {@link FolderFault} if a name is missing or is not a folder.
 *
 * On Linux, each folder is opened inside the previous one, so that nobody can put a link in between. On other systems, each
 * folder is checked before it is used, and an agent that is still running could win that race.
 */
export function openFolder(root: string, folder: RawPath, options: OpenFolderOptions = {}): OpenFolder {
  const names = folder === "" ? [] : folder.split("/");
  return HAS_OPEN_FOLDERS ? openByDescriptor(root, names, options) : openByPath(root, names, options);
}

function openByDescriptor(root: string, names: readonly RawPath[], options: OpenFolderOptions): OpenFolder {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  let descriptor = openSync(root, O_RDONLY | O_DIRECTORY);
  try {
    for (const [at, name] of names.entries()) {
      const path = pathIn(`${OPEN_FOLDERS}/${descriptor}`, name);
      const wanted = makeFolder(path, names.slice(0, at + 1), options);
      const next = attempt(name, () => openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
      closeSync(descriptor);
      descriptor = next;
      if (wanted !== undefined) fchmodSync(descriptor, (fstatSync(descriptor).mode & INHERITED) | wanted);
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

function openByPath(root: string, names: readonly RawPath[], options: OpenFolderOptions): OpenFolder {
  for (const [at, name] of names.entries()) {
    const path = pathIn(root, names.slice(0, at + 1).join("/"));
    const wanted = makeFolder(path, names.slice(0, at + 1), options);
    const found = attempt(name, () => lstatSync(path));
    if (!found.isDirectory()) throw notAFolder(name);
    if (wanted !== undefined && process.platform !== "win32") chmodSync(path, (found.mode & INHERITED) | wanted);
  }
  return { at: (name) => pathIn(root, [...names, name].join("/")), close: () => {} };
}

/** Creates a folder if it is missing and wanted. Returns the permissions that it must get then, whatever the umask of this process is. */
function makeFolder(
  path: SystemPath,
  names: readonly RawPath[],
  { isCreated, permissions }: OpenFolderOptions,
): number | undefined {
  if (isCreated !== true) return undefined;
  // The owner needs all rights, because a file will be put into the folder.
  const wanted = (permissions?.get(names.join("/")) ?? USUAL_FOLDER) | OWN;
  try {
    mkdirSync(path, wanted);
    return wanted;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return undefined;
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
  return new FolderFault(`${shownPath(name)} was a folder and is a link or a file now`, { cause });
}
