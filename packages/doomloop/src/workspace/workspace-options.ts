import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { DoomloopError, requireInteger } from "../core/doomloop-error.ts";
import { isGitDirectory } from "./own-repository.ts";

/** Which folder is kept, where, and how much of it. */
export interface WorkspaceOptions {
  /** The folder that the agent works in: the top of a repository, or any other. */
  readonly root: string;
  /** A folder outside it, for this workspace alone, where checkpoints are kept. Made if it is not there. */
  readonly stateDirectory: string;
  /**
   * Absolute path of git.
   * @default where git is installed commonly; `PATH` is not asked
   */
  readonly git?: string;
  /**
   * Files with patterns of more ignored files, such as the one that `core.excludesFile` of the user names, or `~/.config/git/ignore`.
   * Every `.gitignore` of the workspace and `info/exclude` of its repository count without being named.
   * @default []
   */
  readonly ignoreFiles?: readonly string[];
  /**
   * Larger files are left out of checkpoints, and not touched.
   * @default 100_000_000
   */
  readonly maxFileBytes?: number;
  /**
   * The time in milliseconds since 1970, for the dates of checkpoints.
   * @default Date.now
   */
  readonly now?: () => number;
}

/** Options that are complete and make sense. */
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
    throw refusal(
      "root",
      "a folder of files is required, and a bare repository or another git directory is none",
      root,
    );
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

/** The real path of a folder that need not be there yet. */
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

function isInside(folder: string, path: string): boolean {
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
