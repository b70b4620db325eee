import { Command, InvalidArgumentError, Option } from "commander";
import type { PresetName } from "../core/policy/presets.ts";
import type { FleetTopOptions } from "./commands/fleet-top.ts";
import type { ReplayOptions } from "./commands/replay.ts";
import type { ScanOptions } from "./commands/scan.ts";
import type { ShowOptions } from "./commands/show.ts";
import type { TuneOptions } from "./commands/tune.ts";
import { CLIENT_NAMES } from "./fleet/redis-client.ts";

const PRESETS = ["balanced", "conservative", "aggressive", "shadow"] as const satisfies readonly PresetName[];

/** What the commands do; each returns its exit code. */
interface Commands {
  scan(paths: readonly string[], options: ScanOptions): Promise<number>;
  show(session: string, paths: readonly string[], options: ShowOptions): Promise<number>;
  tune(paths: readonly string[], options: TuneOptions): Promise<number>;
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
  const { version, writeOut, writeError } = options;
  const program = new Command("doomloop")
    .description(
      "Notices when an agent goes in circles.\nWithout a command: scans the transcripts of the agents on this machine.",
    )
    .exitOverride()
    .configureOutput({ writeOut, writeErr: writeError })
    .showHelpAfterError("Run with --help to see what there is.")
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText("after", PROGRAM_EXAMPLES);
  addScan(program, options);
  addShow(program, options);
  addTune(program, options);
  addReplay(program, options);
  addFleet(program, options);
  return program;
}

function addScan(program: Command, { commands, onDone }: ProgramOptions): void {
  const command = program
    .command("scan", { isDefault: true })
    .helpGroup("Look back:")
    .summary("find the loops in transcripts, and what they cost (the default)")
    .description(
      "Finds the loops in transcripts of agents, and what was spent after a guard would have spoken.\nWithout paths: the agents on this machine, the last 30 days.",
    )
    .argument("[paths...]", "transcripts, or folders of them; plain or gzip");
  addChoice(command)
    .optionsGroup("Output:")
    .option("--top <n>", "how many of the worst loops are named; default: 5")
    .option("--json", "print the report as JSON; its schema is in the package: doomloop/report-1.schema.json")
    .option("--jsonl", "print one JSON object a line: the scan, each session, each loop")
    .option("--html <file>", "write the report as a page that needs no network")
    .option("--open", "open the page")
    .option("--junit <file>", "write JUnit XML")
    .option("--github", "print annotations for a GitHub workflow")
    .option("--include-content", "put arguments and outputs into --json and --html")
    .option("--no-cost", "leave money and estimates out")
    .option("-q, --quiet", "one line, and no progress")
    .optionsGroup("Judgement:")
    .option("--fail-on <kind|action>", "exit with 10 if there is such a loop; may be repeated", collect);
  addJudgement(command)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", SCAN_EXAMPLES)
    .action(async (paths: string[], given: ScanOptions) => onDone(await commands.scan(paths, given)));
}

function addShow(program: Command, { commands, onDone }: ProgramOptions): void {
  const command = program
    .command("show")
    .helpGroup("Look back:")
    .summary("show one session as a timeline")
    .description(
      "Shows one session as a timeline: its steps, its loops, and what a guard would have said. Calls are counted from 0.\nEqual calls share a letter, steps of a loop stand behind a bar.",
    )
    .argument("<session>", "the id that scan prints, or a name that begins so")
    .argument("[paths...]", "where to look; default: the agents on this machine");
  addSource(command.optionsGroup("What to show:"))
    .option("--all", "all steps, not only those around loops")
    .option("--include-content", "arguments and outputs, one line each")
    .option("--no-cost", "leave money and estimates out")
    .optionsGroup("Judgement:");
  addJudgement(command)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", SHOW_EXAMPLES)
    .action(async (session: string, paths: string[], given: ShowOptions) =>
      onDone(await commands.show(session, paths, given)),
    );
}

function addTune(program: Command, { commands, onDone }: ProgramOptions): void {
  const command = program
    .command("tune")
    .helpGroup("Set up:")
    .summary("fit the thresholds to your own transcripts")
    .description(
      "Replays your transcripts under the presets and other thresholds, and shows what each would have found.\nMark findings as right or wrong; --write makes a configuration that fits the marks.",
    )
    .argument("[paths...]", "transcripts, or folders of them; default: the agents on this machine");
  addChoice(command)
    .optionsGroup("Marks:")
    .option("--right <id>", "mark a finding as a loop; may be repeated", collect)
    .option("--wrong <id>", "mark a finding as no loop; may be repeated", collect)
    .option("--ask", "ask about findings that bear no mark, one by one")
    .option("--marks <file>", "where marks are kept; default: doomloop.marks.json")
    .option("--top <n>", "how many findings without a mark are listed; default: 10")
    .optionsGroup("Output:")
    .option("--write", "write doomloop.config.json, fitted to the marks")
    .optionsGroup("Judgement:")
    .option("--config <file>", "what to start from; default: the nearest doomloop.config.json or .ts")
    .option("--no-config", "start from the balanced preset")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", TUNE_EXAMPLES)
    .action(async (paths: string[], given: TuneOptions) => onDone(await commands.tune(paths, given)));
}

function addReplay(program: Command, { commands, onDone }: ProgramOptions): void {
  const command = program
    .command("replay")
    .helpGroup("Look back:")
    .summary("replay recorded runs and show what would have been decided")
    .description(
      "Replays recorded runs through a guard and shows what it would have decided.\nThe runs go on as they were recorded, whatever is decided. Calls are counted from 0.",
    )
    .argument("[files...]", "traces: JSON Lines, one run a line, plain or gzip; - or none reads standard input")
    .optionsGroup("Output:")
    .option("--json", "print one JSON object a run instead of a table")
    .optionsGroup("Judgement:");
  addJudgement(command)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", REPLAY_EXAMPLES)
    .action(async (files: string[], given: ReplayOptions) => onDone(await commands.replay(files, given)));
}

function addFleet(program: Command, { commands, onDone }: ProgramOptions): void {
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
}

/** Options that say which transcripts are looked at. */
function addChoice(command: Command): Command {
  return addSource(
    command
      .optionsGroup("What to scan:")
      .option("--last <duration>", "the last 7d, 12h, 2w, 3m or 1y; default without paths: 30d")
      .option("--since <day>", "from a day on: 2026-01-31")
      .option("--until <day>", "up to a day and with it")
      .option("--agent <name>", "only this agent; may be repeated", collect)
      .option("--project <text>", "only projects whose folder has this in its path")
      .option("--session <id>", "only the session with this id, or a name that begins so"),
  );
}

/** Options that say how transcripts are read. */
function addSource(command: Command): Command {
  return command
    .option("--format <name>", "the agent that wrote the files, instead of finding out")
    .option("--reader <module>", "a module with a reader of your own; may be repeated", collect)
    .option("--no-cache", "read everything anew, and keep nothing");
}

function addJudgement(command: Command): Command {
  return command
    .addOption(new Option("--preset <name>", `thresholds and ladder; default: ${PRESETS[0]}`).choices(PRESETS))
    .option("--config <file>", "a guard's options, .json or .ts; default: the nearest doomloop.config.json or .ts")
    .option("--no-config", "use no configuration that lies around");
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function seconds(text: string): number {
  const value = Number(text);
  if (value >= 0.2 && value <= 3600) return value;
  throw new InvalidArgumentError("0.2 to 3600 is required.");
}

const PROGRAM_EXAMPLES = `
Examples:
  $ doomloop
  $ doomloop scan --last 7d --agent claude-code
  $ doomloop show 3fa9c2d41b
  $ doomloop replay runs.jsonl
  $ doomloop fleet top --url redis://localhost
  $ doomloop scan --help`;

const SCAN_EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage, 10 loops that --fail-on names, 130 stopped with Ctrl-C.

Examples:
  $ doomloop scan
  $ doomloop scan --last 7d --html report.html --open
  $ doomloop scan runs/ --fail-on stop --junit loops.xml
  $ doomloop scan --json > report.json`;

const SHOW_EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage.

Examples:
  $ doomloop show 3fa9c2d41b
  $ doomloop show 3fa9c2d41b runs/ --all`;

const TUNE_EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage.

Examples:
  $ doomloop tune --ask
  $ doomloop tune runs/ --right 3fa9c2d41b-09ab12 --wrong 77aa01f3c2-51d0e4
  $ doomloop tune --write`;

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
