import type { WriteStream } from "node:tty";
import { type Command, CommanderError } from "commander";
import type { ProcessRunner } from "../agents/doctor/try-loop.ts";
import { isDoomloopError } from "../core/doomloop-error.ts";
import { packageVersion } from "../system/package-folder.ts";
import { printable } from "../system/printable.ts";
import { readFault, UsageError } from "../system/usage-error.ts";
import { createProgram } from "./program.ts";
import { wrapLines } from "./terminal/columns.ts";
import { type CommandStreams, createOutput } from "./terminal/output.ts";

const FINE = 0;
const OUR_FAULT = 1;
const WRONG_USAGE = 2;

/** What the command line may touch of its process. */
export interface CommandHost {
  readonly stdin: CommandStreams["input"];
  /** A pipe or a file has no columns, whatever the type says. */
  readonly stdout: WriteStream;
  readonly stderr: WriteStream;
  /** Runs the hooks that doctor tries. */
  readonly runHook?: ProcessRunner | undefined;
}

/** Runs what the command line asks for. Returns the exit code; never throws. */
export async function runCommandLine(args: readonly string[], host: CommandHost = process): Promise<number> {
  const { stdin, stdout, stderr, runHook } = host;
  stderr.on("error", () => {});
  const output = createOutput(stdout);
  const width = widthOf(stdout);
  const streams: CommandStreams = { input: stdin, output, width, messages: stderr };
  let exitCode = FINE;
  try {
    const program = createProgram({
      version: packageVersion(),
      streams,
      runHook,
      writeOut: (text) => stdout.write(text),
      writeError: (text) => stderr.write(wrapLines(text, widthOf(stderr))),
      onDone: (code) => {
        exitCode = code;
      },
    });
    requireHelpOf(args, program);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    exitCode = exitCodeOf(error);
    // The lines of a stack trace stay whole.
    const messageWidth = isUsersFault(error) ? widthOf(stderr) : undefined;
    if (!(error instanceof CommanderError))
      stderr.write(`${wrapLines(`doomloop: ${explained(error)}`, messageWidth)}\n`);
  }
  return exitCode;
}

/** The width of a terminal. Some without a window report 0 columns. Undefined for a pipe or a file. */
function widthOf({ columns }: WriteStream): number | undefined {
  return columns === 0 ? 80 : columns;
}

/** Refuses `help` of a command that does not exist: commander would print the help of the program. */
function requireHelpOf([first, name]: readonly string[], program: Command): void {
  if (first !== "help") return;
  if (name === undefined || name.startsWith("-") || name === "help") return;
  if (!program.commands.some((command) => command.name() === name)) throw new UsageError(`no such command: ${name}`);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? FINE : WRONG_USAGE;
  return isUsersFault(error) ? WRONG_USAGE : OUR_FAULT;
}

/** A missing git, an unknown checkpoint or a full disk is not a fault of ours either. */
function isUsersFault(error: unknown): error is Error {
  return error instanceof UsageError || isDoomloopError(error);
}

/** A user's mistake needs only the message. Our own errors need a stack trace. */
function explained(error: unknown): string {
  if (isUsersFault(error)) return printable(error.message);
  // For example, `>` writes to a full disk.
  if ((error as NodeJS.ErrnoException | undefined)?.syscall === "write") return `cannot write: ${readFault(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
