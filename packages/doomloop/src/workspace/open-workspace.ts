import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isDoomloopError } from "../core/doomloop-error.ts";
import { stateFolder } from "../system/state-folder.ts";
import { UsageError } from "../system/usage-error.ts";
import { findRoot } from "./find-root.ts";
import { gitOnPath } from "./git-on-path.ts";
import { ignoreFiles } from "./ignore-files.ts";
import { createWorkspace, type Workspace } from "./index.ts";
import { isInside } from "./is-inside.ts";
import { workspaceState } from "./workspace-state.ts";

export interface WorkspaceChoice {
  readonly root?: string;
  /**
   * Where somebody works, if no root is named.
   * @default the folder we are in
   */
  readonly folder?: string;
}

/** Opens the workspace that a command is about. Its checkpoints are where the platform keeps such things. */
export function openWorkspace(choice: WorkspaceChoice): Workspace {
  const root = findRoot(choice.root, choice.folder ?? process.cwd(), homedir());
  const git = gitOnPath(process.env, root);
  const stateDirectory = workspaceState(stateFolder({ env: process.env, platform: process.platform }), root);
  if (isInside(root, realHome()) && isInside(root, stateDirectory)) {
    throw new UsageError(`${root}: a home folder is no workspace: go into a project, or name one with --root`);
  }
  const patterns = ignoreFiles(process.env, git);
  return blamingUsers(() =>
    createWorkspace({ root, stateDirectory, ignoreFiles: patterns, ...(git !== undefined && { git }) }),
  );
}

function realHome(): string {
  try {
    return realpathSync(homedir());
  } catch {
    return homedir();
  }
}

/** Runs what may fail for reasons that are not ours: an id that is none, a git that is missing, a folder that is busy, a full disk. */
export async function asked<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    throw explained(error);
  }
}

function blamingUsers<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw explained(error);
  }
}

function explained(error: unknown): unknown {
  return isDoomloopError(error) ? new UsageError(error.message, { cause: error }) : error;
}
