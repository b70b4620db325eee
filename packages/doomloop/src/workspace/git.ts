import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { devNull } from "node:os";
import { isAbsolute, join } from "node:path";
import { DoomloopError } from "../core/doomloop-error.ts";

/**
 * The usual places of git. `PATH` is not searched: under `npm run` it begins with a folder of the workspace, and somebody
 * else wrote what is in it. Those of Homebrew come first, because the git of macOS may only ask to be installed.
 */
const USUAL_PLACES: readonly string[] =
  process.platform === "win32"
    ? ["C:\\Program Files\\Git\\cmd\\git.exe", "C:\\Program Files (x86)\\Git\\cmd\\git.exe"]
    : ["/opt/homebrew", "/usr/local", "/usr", "", "/run/current-system/sw", "/opt/local"].map((at) => `${at}/bin/git`);

/** Runs a git command to its end, with our configuration only. Throws a {@link DoomloopError} if it fails. */
export type Git = (words: readonly string[], options?: GitOptions) => Promise<Buffer>;

interface GitOptions {
  /** The index to use. */
  readonly index?: string;
  readonly input?: string;
  /** The exit code that means that the command found nothing. */
  readonly emptyCode?: number;
}

const MAX_OUTPUT_BYTES = 256 << 20;
/** Only for commands that hang, such as on a pipe named `.gitignore`. */
const TIMEOUT_MS = 600_000;
const IS_WINDOWS = process.platform === "win32";

/** Takes precedence over the configuration of a repository. Git runs no program, and checks a file out as it was added. */
const SETTINGS = [
  `core.hooksPath=${devNull}`,
  "core.fsmonitor=false",
  "core.autocrlf=false",
  `core.fileMode=${!IS_WINDOWS}`,
  `core.symlinks=${!IS_WINDOWS}`,
  "core.longPaths=true",
  "core.compression=1",
  // Names that are special on other systems only are ordinary names here.
  ...(process.platform === "linux" ? ["core.protectNTFS=false", "core.protectHFS=false"] : []),
  // A checkpoint must be on disk before a restore relies on it.
  "core.fsync=objects,reference",
  "core.fsyncMethod=batch",
  "user.name=doomloop",
  "user.email=doomloop@localhost",
].flatMap((setting) => ["-c", setting]);

/** Git on the repository `shadow` with the work tree `root`, and nothing of the caller's environment. */
export function createGit(program: string, { shadow, root }: { readonly shadow: string; readonly root: string }): Git {
  const environment: NodeJS.ProcessEnv = {
    LC_ALL: "C",
    HOME: join(shadow, "no-home"),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_LITERAL_PATHSPECS: "1",
    GIT_DIR: shadow,
    GIT_WORK_TREE: root,
  };
  // Run in a folder of ours, because Windows looks for programs there first.
  const place = { cwd: shadow, windowsHide: true, maxBuffer: MAX_OUTPUT_BYTES, timeout: TIMEOUT_MS };
  return (words, { index, input, emptyCode } = {}) =>
    new Promise((done, fail) => {
      const env = { ...environment, ...(index !== undefined && { GIT_INDEX_FILE: index }) };
      const options = { ...place, env, encoding: "buffer" as const };
      const child = execFile(program, [...SETTINGS, ...words], options, (error, stdout, stderr) => {
        if (error === null || error.code === emptyCode) return done(stdout);
        const [last = ""] = stderr.toString("utf8").trim().split("\n").slice(-1);
        // The message may contain names of files, which others chose.
        const said = last.slice(0, 500).replaceAll(/\p{C}/gu, "?") || `ended with ${error.code ?? error.signal}`;
        fail(
          new DoomloopError(
            "workspace-fault",
            `workspace: git ${words.find((word) => !word.startsWith("-"))}: ${said}`,
          ),
        );
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
}

/** Finds git, or checks the given path. Throws a {@link DoomloopError} if it is missing. */
export function findGit(named: string | undefined): string {
  if (named !== undefined && !isAbsolute(named))
    throw new DoomloopError("invalid-option", `createWorkspace: git: an absolute path is required, got ${named}`);
  const places = named === undefined ? USUAL_PLACES : [named];
  const path = places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile() === true);
  if (path !== undefined) return path;
  throw new DoomloopError("git-missing", `workspace: git is required, and was not found at ${places.join(", ")}`);
}
