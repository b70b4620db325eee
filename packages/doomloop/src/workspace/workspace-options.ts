import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { DoomloopError, requireInteger } from "../core/doomloop-error.ts";
import { isGitDirectory } from "./user-repositories.ts";

/** Which folder to save, where, and how much of it. */
export interface WorkspaceOptions {
  /** The folder that the agent works in: the top of a repository, or any other folder. */
  readonly root: string;
  /** A folder outside the workspace where its checkpoints are kept. It belongs to this workspace alone, and is created if missing. */
  readonly stateDirectory: string;
  /**
   * Absolute path of git.
   * @default the first git in the usual places; `PATH` is not searched
   */
  readonly git?: string;
  /**
   * Files with further ignore patterns, such as the user's `core.excludesFile` or `~/.config/git/ignore`. Every `.gitignore` of the
   * workspace and `info/exclude` of its repository are always used.
   * @default []
   */
  readonly ignoreFiles?: readonly string[];
  /**
   * Larger files are left out of checkpoints and not touched.
   * @default 100_000_000
   */
  readonly maxFileBytes?: number;
  /**
   * Returns the time in milliseconds since 1970, for the dates of checkpoints.
   * @default Date.now
   */
  readonly now?: () => number;
}

/** Options after the defaults were filled in and the values checked. */
export interface CheckedOptions {
  readonly root: string;
  readonly stateDirectory: string;
  readonly git: string | undefined;
  readonly ignoreFiles: readonly string[];
  readonly maxFileBytes: number;
  readonly now: () => number;
}

export function checkOptions(options: WorkspaceOptions): CheckedOptions {
  const { git, ignoreFiles = [], maxFileBytes = 100_000_000, now = Date.now } = options;
  requireInteger("createWorkspace: maxFileBytes", maxFileBytes, 1);
  const root = realFolder(options.root);
  if (isGitDirectory(root, "")) {
    throw refusal("root", "a folder of files is required, not a bare repository or another git directory", root);
  }
  const stateDirectory = resolve(requireText("stateDirectory", options.stateDirectory));
  if (isInside(root, realWhereThere(stateDirectory)) || isInside(realWhereThere(stateDirectory), root)) {
    throw refusal("stateDirectory", "a folder outside the workspace is required", stateDirectory);
  }
  return { root, stateDirectory, git, ignoreFiles, maxFileBytes, now };
}

function realFolder(root: unknown): string {
  const path = resolve(requireText("root", root));
  try {
    return realpathSync(path);
  } catch {
    throw refusal("root", "a folder is required", path);
  }
}

/** The real path of a folder that may not exist yet. */
function realWhereThere(path: string): string {
  const missing: string[] = [];
  for (let at = path; ; at = resolve(at, "..")) {
    try {
      return resolve(realpathSync(at), ...missing);
    } catch {
      if (resolve(at, "..") === at) return path;
      missing.unshift(relative(resolve(at, ".."), at));
    }
  }
}

/** Whether a path is the folder or is inside it. Links are not resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}

function requireText(where: string, value: unknown): string {
  if (typeof value === "string" && value !== "" && !value.includes("\0")) return value;
  throw refusal(where, "a path is required", String(value));
}

function refusal(where: string, required: string, got: string): DoomloopError {
  return new DoomloopError("invalid-option", `createWorkspace: ${where}: ${required}, got ${got}`);
}
