import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { homeFolder } from "../system/home-folder.ts";
import { type StateFolderPlace, stateFolder } from "../system/state-folder.ts";
import { readFault, UsageError } from "../system/usage-error.ts";
import { limitCopies, workspacesFolder } from "./limits.ts";
import { lookAt } from "./paths.ts";
import { createWorkspace, isInside } from "./workspace.ts";

const TIMEOUT_MS = 10_000;

/**
 * Opens the workspace of a command, by default the repository around us. Its checkpoints are in the platform's folder for state, and share
 * a limit with those of all others.
 */
export function openWorkspace(named: string | undefined, place: StateFolderPlace) {
  const { env, home = homeFolder() } = place;
  const root = findRoot(named, process.cwd(), home);
  const git = gitOnPath(env, root);
  const stateDirectory = workspaceState(stateFolder(place), root);
  if (isInside(root, existsSync(home) ? realpathSync(home) : home) && isInside(root, stateDirectory))
    throw new UsageError(`${root}: a home folder cannot be a workspace: go into a project, or name one with --root`);
  const ignoreFiles = [ignoreFile(env, home, git)];
  const own = createWorkspace({ root, stateDirectory, ignoreFiles, ...(git !== undefined && { git }) });
  return Object.assign(own, { limitCopies: () => limitCopies(dirname(stateDirectory), git) });
}

/**
 * The given root, or the top of the repository around the current folder, or the current folder. A home folder is not
 * used as a root even if it is a repository, because everything would be in it.
 */
export function findRoot(named: string | undefined, current: string, home: string): string {
  const path = resolve(current, named ?? ".");
  try {
    const here = realpathSync(path);
    if (!statSync(here).isDirectory()) throw new UsageError(`${named ?? path}: a folder is required`);
    if (named !== undefined) return here;
    for (let folder = here; folder !== home && dirname(folder) !== folder; folder = dirname(folder))
      if (lookAt(join(folder, ".git")) !== undefined) return folder;
    return here;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${named ?? path}: ${readFault(error)}`, { cause: error });
  }
}

/**
 * The git that a shell would find, unless it is in the workspace or a link into it. `npm run` and `npx` put folders of the
 * workspace on the path, and somebody else wrote what is in them.
 */
export function gitOnPath(env: StateFolderPlace["env"], root: string): string | undefined {
  const name = process.platform === "win32" ? "git.exe" : "git";
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder) && !isInside(root, folder));
  return folders.map((at) => join(at, name)).find((path) => existsSync(path) && !isInside(root, realpathSync(path)));
}

/** The file with the user's patterns for all repositories. The workspace's configuration is not read. */
function ignoreFile({ HOME, XDG_CONFIG_HOME, USERPROFILE }: StateFolderPlace["env"], home: string, git = ""): string {
  const words = ["config", "--global", "--type=path", "--get", "core.excludesFile"];
  const options = { cwd: tmpdir(), env: { HOME, XDG_CONFIG_HOME, USERPROFILE }, timeout: TIMEOUT_MS } as const;
  try {
    const found = execFileSync(git, words, { ...options, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return resolve(home, found.trim());
  } catch {
    return join(XDG_CONFIG_HOME || join(home, ".config"), "git", "ignore");
  }
}

/** The folder for the state of one workspace. Its name is a hash of the real path, so that it does not reveal the path. */
export function workspaceState(state: string, root: string): string {
  return join(workspacesFolder(state), createHash("sha256").update(root).digest("hex").slice(0, 32));
}
