import { type ChildProcess, type ExecFileException, execFile, spawn } from "node:child_process";
import { devNull } from "node:os";
import { join } from "node:path";
import { DoomloopError } from "../core/doomloop-error.ts";

/** Git on the shadow repository, under no configuration but ours. */
export interface Git {
  /** Runs a command to its end. Throws a {@link DoomloopError} if it fails. */
  run(words: readonly string[], options?: GitRunOptions): Promise<Buffer>;
  /** Starts a command that is talked to. */
  start(words: readonly string[]): ChildProcess;
}

interface GitRunOptions {
  /** The index to use. */
  readonly index?: string;
  readonly input?: string | Buffer;
  /** The exit code by which the command says that it found nothing. */
  readonly emptyCode?: number;
}

export interface GitPlaces {
  /** Absolute path of the program. */
  readonly program: string;
  readonly shadow: string;
  readonly root: string;
  readonly now: () => number;
}

const MAX_OUTPUT_BYTES = 256 << 20;
/** Against hanging only, on a pipe that is called `.gitignore`, say. */
const TIMEOUT_MS = 600_000;
const IS_WINDOWS = process.platform === "win32";

/** What a configuration could say otherwise: nothing of it is run, and no byte of a file is converted. */
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
  // Names that only other systems fear are names like any other here.
  ...(process.platform === "linux" ? { "core.protectNTFS": "false", "core.protectHFS": "false" } : {}),
  "core.compression": "1",
  // A checkpoint is on the disk before a restore relies on it.
  "core.fsync": "objects,reference",
  "core.fsyncMethod": "batch",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "protocol.allow": "never",
};
const SETTINGS = Object.entries(NEUTRAL).flatMap(([key, value]) => ["-c", `${key}=${value}`]);

export function createGit({ program, shadow, root, now }: GitPlaces): Git {
  const who = { NAME: "doomloop", EMAIL: "doomloop@localhost" };
  /** All that git is told: nothing of the caller's environment reaches it. */
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
  // The folder to run in is ours: Windows looks for programs there first.
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
  // Names of files stand in it, which are not ours.
  const said = last.slice(0, 500).replaceAll(/\p{C}/gu, "?") || `ended with ${String(cause.code ?? cause.signal)}`;
  return new DoomloopError("workspace-fault", `workspace: git ${words[0]}: ${said}`);
}

function dateOf(at: number): string {
  return `@${Math.max(0, Math.floor(at / 1000))} +0000`;
}
