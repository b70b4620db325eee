import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import { runCommandLine } from "../packages/doomloop/src/cli/run-command-line.ts";
import { runHook } from "./run-hook.ts";

export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandPlace {
  readonly cwd: string;
  /** The whole environment of the command. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** @default "" */
  readonly input?: string;
  /**
   * The width of the terminal.
   * @default none: the output goes into pipes
   */
  readonly columns?: number;
}

let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of `doomloop` in this process, which takes a fraction of the time that a process of its own does. The folder and the
 * environment of this process are the command's while it runs, and as they were afterwards. So commands run one after the other.
 */
export function runCommand(args: readonly string[], place: CommandPlace): Promise<CommandOutcome> {
  const outcome = previous.then(() => inPlace(place, () => run(args, place)));
  previous = outcome.catch(() => {});
  return outcome;
}

/** Runs a program in a process of its own, to its end. */
export function spawnCommand(
  program: string,
  words: readonly string[],
  { cwd, env, input = "" }: CommandPlace,
): Promise<CommandOutcome> {
  const child = spawn(program, words, { cwd, env, stdio: "pipe" });
  const outcome = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (piece) => (outcome.stdout += piece));
  child.stderr.setEncoding("utf8").on("data", (piece) => (outcome.stderr += piece));
  // A program may end before it has read all.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ ...outcome, code }));
  });
}

async function run(args: readonly string[], { input = "", columns }: CommandPlace): Promise<CommandOutcome> {
  const [stdout, stderr] = [collect(columns), collect(columns)];
  const stdin = Readable.from(input === "" ? [] : [Buffer.from(input)]);
  const code = await runCommandLine(args, { stdin, stdout: stdout.stream, stderr: stderr.stream, runHook });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collect(columns: number | undefined) {
  let text = "";
  const stream = new Writable({
    decodeStrings: false,
    write(piece: string | Buffer, _, done) {
      text += piece;
      done();
    },
  });
  return { stream: Object.assign(stream, { columns }) as unknown as WriteStream, text: () => text };
}

/** Works in a folder and an environment, and leaves both as they were. Nothing else may run meanwhile. */
async function inPlace<Result>({ cwd, env }: CommandPlace, work: () => Promise<Result>): Promise<Result> {
  const before = { cwd: process.cwd(), env: { ...process.env } };
  process.chdir(cwd);
  setEnvironment(env);
  try {
    return await work();
  } finally {
    setEnvironment(before.env);
    process.chdir(before.cwd);
  }
}

/** Changes `process.env` itself: Node asks it for the home folder, and does not see an object in its place. */
function setEnvironment(env: CommandPlace["env"]): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}
