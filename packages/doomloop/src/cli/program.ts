import { Command } from "commander";
import type { ProcessRunner } from "../agents/doctor/try-loop.ts";
import { CODING_AGENTS } from "../agents/index.ts";
import { addAllow, addDoctor, addInit, addResident } from "./command-line/coding-agents.ts";
import { addReplay, addScan, addShow, addTune } from "./command-line/look-back.ts";
import { addServe } from "./command-line/serve.ts";
import { addWorkspace } from "./command-line/workspace.ts";
import type { CommandStreams } from "./terminal/output.ts";

export interface ProgramOptions {
  readonly version: string;
  readonly streams: CommandStreams;
  /** Runs the hooks that doctor tries. */
  readonly runHook?: ProcessRunner | undefined;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Called with the exit code of the command. */
  readonly onDone: (exitCode: number) => void;
}

/** Builds the command line: names, options and help. Throws a `CommanderError` instead of ending the process. */
export function createProgram(options: ProgramOptions): Command {
  const { version, writeOut, writeError } = options;
  const program = new Command("doomloop")
    .description(
      "Notices when an agent goes in circles.\nWithout a command: scans the transcripts of the agents on this machine.",
    )
    .exitOverride()
    .configureOutput({ writeOut, writeErr: writeError })
    // Options and arguments are in the help of each command. Here they would not fit on a narrow screen.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showHelpAfterError("Run with --help for the commands and options.")
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText("after", PROGRAM_EXAMPLES);
  addScan(program, options);
  addShow(program, options);
  addTune(program, options);
  addReplay(program, options);
  addInit(program, options);
  addDoctor(program, options);
  addAllow(program, options);
  addWorkspace(program, options);
  addResident(program, options);
  addServe(program, options);
  return program;
}

const PROGRAM_EXAMPLES = `
Examples:
  $ doomloop
  $ doomloop scan --last 7d --agent ${CODING_AGENTS[0]?.name}
  $ doomloop show 3fa9c2d41b
  $ doomloop scan runs.jsonl
  $ doomloop init
  $ doomloop checkpoint
  $ doomloop scan --help`;
