import { type ChildProcess, type ExecFileException, execFile, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { devNull } from "node:os";
import { isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { DoomloopError } from "../core/doomloop-error.ts";

/**
 * The usual places of git. `PATH` is not searched: under `npm run` it begins with a folder of the workspace, and somebody
 * else wrote what is in it.
 */
const USUAL_PLACES: readonly string[] =
  process.platform === "win32"
    ? ["C:\\Program Files\\Git\\cmd\\git.exe", "C:\\Program Files (x86)\\Git\\cmd\\git.exe"]
    : [
        // These come first, because the git of macOS may only ask to be installed.
        "/opt/homebrew/bin/git",
        "/usr/local/bin/git",
        "/usr/bin/git",
        "/bin/git",
        "/run/current-system/sw/bin/git",
        "/opt/local/bin/git",
      ];

const OLDEST = [2, 30] as const;

/** Runs git on the shadow repository, with our configuration only. */
export interface Git {
  /** Runs a command to its end. Throws a {@link DoomloopError} if it fails. */
  run(words: readonly string[], options?: GitRunOptions): Promise<Buffer>;
  /** Starts a command, to write to it and read from it. */
  start(words: readonly string[]): ChildProcess;
}

interface GitRunOptions {
  /** The index to use. */
  readonly index?: string;
  readonly input?: string | Buffer;
  /** The exit code that means that the command found nothing. */
  readonly emptyCode?: number;
}

interface GitPlaces {
  /** Absolute path of the program. */
  readonly program: string;
  readonly shadow: string;
  readonly root: string;
  readonly now: () => number;
}

const MAX_OUTPUT_BYTES = 256 << 20;
/** Only for commands that hang, such as on a pipe named `.gitignore`. */
const TIMEOUT_MS = 600_000;
const IS_WINDOWS = process.platform === "win32";

/** Overrides every configuration, so that git runs no program of the user's and converts no byte of a file. */
const NEUTRAL: Readonly<Record<string, string>> = {
  "core.hooksPath": devNull,
  "core.fsmonitor": "false",
  "core.attributesFile": devNull,
  "core.excludesFile": devNull,
  "core.autocrlf": "false",
  "core.safecrlf": "false",
  "core.fileMode": IS_WINDOWS ? "false" : "true",
  "core.symlinks": IS_WINDOWS ? "false" : "true",
  "core.longPaths": "true",
  "core.untrackedCache": "false",
  "core.splitIndex": "false",
  "core.sparseCheckout": "false",
  // Names that are special on other systems only are ordinary names here.
  ...(process.platform === "linux" ? { "core.protectNTFS": "false", "core.protectHFS": "false" } : {}),
  "core.compression": "1",
  // A checkpoint must be on disk before a restore relies on it.
  "core.fsync": "objects,reference",
  "core.fsyncMethod": "batch",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "protocol.allow": "never",
};
const SETTINGS = Object.entries(NEUTRAL).flatMap(([key, value]) => ["-c", `${key}=${value}`]);

export function createGit({ program, shadow, root, now }: GitPlaces): Git {
  const who = { NAME: "doomloop", EMAIL: "doomloop@localhost" };
  /** The whole environment of git: it gets nothing of the caller's. */
  const environment = (index?: string): NodeJS.ProcessEnv => ({
    LC_ALL: "C",
    HOME: join(shadow, "no-home"),
    XDG_CONFIG_HOME: join(shadow, "no-home"),
    GIT_DIR: shadow,
    GIT_WORK_TREE: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_DEFAULT_HASH: "sha1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: who.NAME,
    GIT_AUTHOR_EMAIL: who.EMAIL,
    GIT_AUTHOR_DATE: dateOf(now()),
    GIT_COMMITTER_NAME: who.NAME,
    GIT_COMMITTER_EMAIL: who.EMAIL,
    GIT_COMMITTER_DATE: dateOf(now()),
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  });
  // Run in a folder of ours, because Windows looks for programs there first.
  const place = { cwd: shadow, windowsHide: true };

  return {
    run: (words, { index, input, emptyCode } = {}) =>
      new Promise((done, fail) => {
        const limits = { maxBuffer: MAX_OUTPUT_BYTES, timeout: TIMEOUT_MS, encoding: "buffer" as const };
        const options = { ...place, ...limits, env: environment(index) };
        const child = execFile(program, [...SETTINGS, ...words], options, (error, stdout, stderr) => {
          if (error === null || error.code === emptyCode) done(stdout);
          else fail(gitFault(words, error, stderr));
        });
        child.stdin?.on("error", () => {});
        child.stdin?.end(input);
      }),
    start: (words) => spawn(program, [...SETTINGS, ...words], { ...place, env: environment(), stdio: "pipe" }),
  };
}

function gitFault(words: readonly string[], cause: ExecFileException, stderr: Buffer): DoomloopError {
  const [last = ""] = stderr.toString("utf8").trim().split("\n").slice(-1);
  // The message may contain names of files, which others chose.
  const said = last.slice(0, 500).replaceAll(/\p{C}/gu, "?") || `ended with ${String(cause.code ?? cause.signal)}`;
  return new DoomloopError("workspace-fault", `workspace: git ${words[0]}: ${said}`);
}

function dateOf(at: number): string {
  return `@${Math.max(0, Math.floor(at / 1000))} +0000`;
}

/** Finds git, or checks the given path. Throws a {@link DoomloopError} if git is missing or too old. */
export async function findGit(named: string | undefined): Promise<string> {
  if (named !== undefined && !isAbsolute(named)) {
    throw new DoomloopError("invalid-option", `createWorkspace: git: an absolute path is required, got ${named}`);
  }
  const places = named === undefined ? USUAL_PLACES : [named];
  const path = places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile() === true);
  if (path === undefined) {
    throw new DoomloopError("git-missing", `workspace: git is required, and was not found at ${places.join(", ")}`);
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
    throw new DoomloopError("git-missing", `workspace: a git that runs is required, ${path} does not run`, {
      cause: error,
    });
  }
}
