import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, lstatSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { isDoomloopError } from "../core/doomloop-error.ts";
import { homeFolder } from "../system/home-folder.ts";
import { type StateFolderPlace, stateFolder } from "../system/state-folder.ts";
import { readFault, UsageError } from "../system/usage-error.ts";
import { createWorkspace, type Workspace } from "./index.ts";
import { workspacesFolder } from "./kept-copies.ts";
import { type DeletedCopies, limitCopies } from "./limit-copies.ts";
import { isInside } from "./workspace-options.ts";

const TIMEOUT_MS = 10_000;

/** Which workspace a command or a hook works on. */
export interface WorkspaceChoice {
  /** The root of the workspace. */
  readonly root?: string;
  /**
   * The folder to look for the root from, if no root is given.
   * @default process.cwd()
   */
  readonly folder?: string;
  /**
   * The folder of all state.
   * @default the platform's, as the environment says
   */
  readonly state?: string;
}

/** A workspace whose checkpoints share a limit with those of all others. */
export interface LimitedWorkspace extends Workspace {
  checkpoint(
    label?: string,
  ): Promise<Awaited<ReturnType<Workspace["checkpoint"]>> & { readonly deleted?: DeletedCopies }>;
}

/** Opens the workspace of a command or a hook. Its checkpoints are kept in the platform's folder for state. */
export function openWorkspace(choice: WorkspaceChoice, place: StateFolderPlace): LimitedWorkspace {
  const { env, home = homeFolder() } = place;
  const root = findRoot(choice.root, choice.folder ?? process.cwd(), home);
  const git = gitOnPath(env, root);
  const stateDirectory = workspaceState(choice.state ?? stateFolder(place), root);
  if (isInside(root, realHome(home)) && isInside(root, stateDirectory)) {
    throw new UsageError(`${root}: a home folder cannot be a workspace: go into a project, or name one with --root`);
  }
  const patterns = ignoreFiles(env, home, git);
  try {
    const own = createWorkspace({ root, stateDirectory, ignoreFiles: patterns, ...(git !== undefined && { git }) });
    return {
      ...own,
      async checkpoint(label) {
        const made = await own.checkpoint(label);
        const deleted = await limitCopies({ home: dirname(stateDirectory), git, now: Date.now() });
        return { ...made, ...(deleted && { deleted }) };
      },
    };
  } catch (error) {
    throw usageError(error);
  }
}

function realHome(home: string): string {
  try {
    return realpathSync(home);
  } catch {
    return home;
  }
}

/**
 * Runs an action of a workspace and turns a `DoomloopError` into a `UsageError`: an unknown id, a missing git, a busy folder
 * or a full disk is not a fault of doomloop.
 */
export async function withUsageErrors<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    throw usageError(error);
  }
}

function usageError(error: unknown): unknown {
  return isDoomloopError(error) ? new UsageError(error.message, { cause: error }) : error;
}

/**
 * The given root, or the top of the repository around the current folder, or the current folder. A home folder is not
 * used as a root even if it is a repository, because everything would be in it.
 */
export function findRoot(named: string | undefined, current: string, home: string): string {
  if (named !== undefined) return existingFolder(named, resolve(current, named));
  const here = existingFolder(current, current);
  for (let folder = here; folder !== home && dirname(folder) !== folder; folder = dirname(folder)) {
    if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return folder;
  }
  return here;
}

function existingFolder(named: string, path: string): string {
  try {
    const real = realpathSync(path);
    if (lstatSync(real).isDirectory()) return real;
  } catch (error) {
    throw new UsageError(`${named}: ${readFault(error)}`, { cause: error });
  }
  throw new UsageError(`${named}: a folder is required`);
}

/**
 * The git that a shell would find, unless it is in the workspace or a link into it. `npm run` and `npx` put folders of the
 * workspace on the path, and somebody else wrote what is in them.
 */
export function gitOnPath(env: StateFolderPlace["env"], root: string): string | undefined {
  const name = process.platform === "win32" ? "git.exe" : "git";
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(root, folder))
    .map((folder) => join(folder, name))
    .find((path) => isProgram(path) && !isInside(root, realpathSync(path)));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The file with the user's patterns for all repositories: files that `git status` does not show are not copied either. */
function ignoreFiles(env: StateFolderPlace["env"], home: string, git: string | undefined): readonly string[] {
  const own = git === undefined ? undefined : excludesFile(env, git);
  const usual = join(env.XDG_CONFIG_HOME || join(home, ".config"), "git", "ignore");
  return [own === undefined ? usual : resolve(home, own)];
}

/** `core.excludesFile` of the user's own configuration. The workspace's configuration is not read. */
function excludesFile(env: StateFolderPlace["env"], git: string): string | undefined {
  const words = ["config", "--global", "--type=path", "--get", "core.excludesFile"];
  const { HOME, XDG_CONFIG_HOME, USERPROFILE } = env;
  try {
    const options = { cwd: tmpdir(), env: { HOME, XDG_CONFIG_HOME, USERPROFILE }, timeout: TIMEOUT_MS };
    return execFileSync(git, words, { ...options, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

/** The folder for the state of one workspace. Its name is a hash of the real path, so that it does not reveal the path. */
export function workspaceState(home: string, root: string): string {
  return join(workspacesFolder(home), createHash("sha256").update(root).digest("hex").slice(0, 32));
}
