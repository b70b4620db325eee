import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { promisify } from "node:util";
import { DoomloopError } from "../core/doomloop-error.ts";

/**
 * Where git is installed, commonly. `PATH` is not asked: under `npm run` it begins with a folder of the workspace, and what
 * lies there was written by someone else.
 */
const USUAL_PLACES: readonly string[] =
  process.platform === "win32"
    ? ["C:\\Program Files\\Git\\cmd\\git.exe", "C:\\Program Files (x86)\\Git\\cmd\\git.exe"]
    : [
        // The one that macOS brings asks to be installed first.
        "/opt/homebrew/bin/git",
        "/usr/local/bin/git",
        "/usr/bin/git",
        "/bin/git",
        "/run/current-system/sw/bin/git",
        "/opt/local/bin/git",
      ];
const OLDEST = [2, 30] as const;

/** Finds git, or takes the one that is named. Throws a {@link DoomloopError} if there is none, or one that is too old. */
export async function findGit(named: string | undefined): Promise<string> {
  if (named !== undefined && !isAbsolute(named)) {
    throw new DoomloopError("invalid-option", `createWorkspace: git: an absolute path is required, got ${named}`);
  }
  const places = named === undefined ? USUAL_PLACES : [named];
  const path = places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile() === true);
  if (path === undefined) {
    throw new DoomloopError("git-missing", `workspace: git is required, and not at ${places.join(", ")}`);
  }
  const version = await versionOf(path);
  const [major = 0, minor = 0] = (/^git version (\d{1,4})\.(\d{1,4})\b/.exec(version) ?? []).slice(1).map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return path;
  throw new DoomloopError("git-missing", `workspace: git ${OLDEST.join(".")} or later is required, got ${version}`);
}

async function versionOf(path: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], { env: {}, timeout: 30_000, windowsHide: true });
    return stdout.trim().slice(0, 100);
  } catch (error) {
    throw new DoomloopError("git-missing", `workspace: a git that runs is required, ${path} does not`, {
      cause: error,
    });
  }
}
