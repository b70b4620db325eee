import { Command, InvalidArgumentError, Option } from "commander";
import type { PresetName } from "../core/policy/presets.ts";
import type { FleetTopOptions } from "./commands/fleet-top.ts";
import type { ReplayOptions } from "./commands/replay.ts";
import { CLIENT_NAMES } from "./fleet/redis-client.ts";

const PRESETS = ["balanced", "conservative", "aggressive", "shadow"] as const satisfies readonly PresetName[];

/** What the commands do; each returns its exit code. */
interface Commands {
  replay(files: readonly string[], options: ReplayOptions): Promise<number>;
  fleetTop(options: FleetTopOptions): Promise<number>;
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

  program
    .command("fleet")
    .helpGroup("Watch live:")
    .summary("look at a swarm that shares a store")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .command("top")
    .summary("show who is stuck on what, live")
    .description(
      "Shows the dead ends of a swarm: which calls get nobody further, and who makes them.\nLive on a terminal; once, as plain lines, anywhere else. Only reads.",
    )
    .optionsGroup("Store:")
    .addOption(new Option("--url <url>", "address of Redis or Valkey").env("DOOMLOOP_FLEET_URL"))
    .option("--tenant <name>", "the swarm, where several share the store")
    .option("--key-file <file>", "a file that holds the key of the deployment")
    .addOption(
      new Option(
        "--client <package>",
        "the Redis client of your project; default: the first that is installed",
      ).choices(CLIENT_NAMES),
    )
    .optionsGroup("Output:")
    .option("--interval <seconds>", "time between two looks, 0.2 to 3600", seconds, 2)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", FLEET_TOP_EXAMPLES)
    .action(async (given: FleetTopOptions) => onDone(await commands.fleetTop(given)));
  return program;
}

function seconds(text: string): number {
  const value = Number(text);
  if (value >= 0.2 && value <= 3600) return value;
  throw new InvalidArgumentError("0.2 to 3600 is required.");
}

const PROGRAM_EXAMPLES = `
Examples:
  $ doomloop replay runs.jsonl
  $ doomloop fleet top --url redis://localhost
  $ doomloop replay --help`;

const REPLAY_EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage.

Examples:
  $ doomloop replay runs.jsonl more.jsonl.gz
  $ doomloop replay --preset aggressive runs.jsonl
  $ cat runs.jsonl | doomloop replay --json > decisions.jsonl`;

const FLEET_TOP_EXAMPLES = `
An address in the environment is not seen by other users of the machine; one on the command line is.

Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage or a store that cannot be reached.

Examples:
  $ doomloop fleet top --url redis://localhost --tenant research --key-file fleet.key
  $ doomloop fleet top --interval 10
  $ doomloop fleet top | mail -s "stuck" operators`;
