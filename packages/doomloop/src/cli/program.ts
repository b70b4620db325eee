import { Command, Option } from "commander";
import type { PresetName } from "../core/policy/presets.ts";
import type { ReplayOptions } from "./commands/replay.ts";

const PRESETS = ["balanced", "conservative", "aggressive", "shadow"] as const satisfies readonly PresetName[];

/** What the commands do; each returns its exit code. */
interface Commands {
  replay(files: readonly string[], options: ReplayOptions): Promise<number>;
}

export interface ProgramOptions {
  readonly version: string;
  readonly commands: Commands;
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Told the exit code of the command that ran. */
  readonly onDone: (exitCode: number) => void;
}

/** Builds the command line: names, options and help. Throws a `CommanderError` instead of ending the process. */
export function createProgram(options: ProgramOptions): Command {
  const { version, commands, writeOut, writeError, onDone } = options;
  const program = new Command("doomloop")
    .description("Notices when an agent goes in circles.")
    .exitOverride()
    .configureOutput({ writeOut, writeErr: writeError })
    .showHelpAfterError("Run with --help to see what there is.")
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText("after", PROGRAM_EXAMPLES);

  program
    .command("replay")
    .helpGroup("Look back:")
    .summary("replay recorded runs and show what would have been decided")
    .description(
      "Replays recorded runs through a guard and shows what it would have decided.\nThe runs go on as they were recorded, whatever is decided. Calls are counted from 0.",
    )
    .argument("[files...]", "traces: JSON Lines, one run a line, plain or gzip; - or none reads standard input")
    .optionsGroup("Output:")
    .option("--json", "print one JSON object a run instead of a table")
    .optionsGroup("Judgement:")
    .addOption(new Option("--preset <name>", `thresholds and ladder; default: ${PRESETS[0]}`).choices(PRESETS))
    .option("--config <file>", "a guard's options as JSON; --preset wins over the preset in it")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", REPLAY_EXAMPLES)
    .action(async (files: string[], given: ReplayOptions) => onDone(await commands.replay(files, given)));
  return program;
}

const PROGRAM_EXAMPLES = `
Examples:
  $ doomloop replay runs.jsonl
  $ doomloop replay --help`;

const REPLAY_EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage.

Examples:
  $ doomloop replay runs.jsonl more.jsonl.gz
  $ doomloop replay --preset aggressive runs.jsonl
  $ cat runs.jsonl | doomloop replay --json > decisions.jsonl`;
