import type { Command } from "commander";
import type { ReplayOptions } from "../commands/replay.ts";
import type { ScanOptions } from "../commands/scan.ts";
import type { ShowOptions } from "../commands/show.ts";
import type { TuneOptions } from "../commands/tune.ts";
import type { ProgramOptions } from "../program.ts";
import { addChoice, addJudgement, addSource, collect, sourcesOf } from "./shared-options.ts";

const REPLAY_EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage.

Examples:
  $ doomloop replay --json runs.jsonl more.jsonl.gz > decisions.jsonl
  $ cat runs.jsonl | doomloop replay --json --preset aggressive`;

const TUNE_EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage, 130 stopped with Ctrl-C.

Examples:
  $ doomloop tune
  $ doomloop tune runs/ --wrong 3fa9c2d41b-09ab12 --right 77aa01f3c2
  $ doomloop tune --write`;

const SHOW_EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage, 130 stopped with Ctrl-C.

Examples:
  $ doomloop show 3fa9c2d41b
  $ doomloop show 3fa9c2d41b runs/ --all`;

const EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage,
10 loops that --fail-on names, 11 with --fail-on: no session was found, or not
all could be read, 130 stopped with Ctrl-C.

Examples:
  $ doomloop scan
  $ doomloop scan --sample
  $ doomloop scan --last 7d --html --open
  $ doomloop scan runs.jsonl --runs
  $ doomloop scan runs/ --fail-on stop --junit loops.xml
  $ doomloop scan --json > report.json
  $ doomloop scan --export 3fa9c2d41b`;

/** Adds `doomloop scan`, the command that runs where none is named. */
export function addScan(program: Command, { commands, onDone }: ProgramOptions): void {
  const command = program
    .command("scan", { isDefault: true })
    .helpGroup("Look back:")
    .summary("find the loops in transcripts, and what they cost (the default)")
    .description(
      "Finds the loops in transcripts of agents, and what was spent after a guard would have spoken.\nWithout paths: the agents on this machine, the last 30 days.",
    )
    .argument("[paths...]", "transcripts, or folders of them; plain or gzip; - reads standard input");
  addChoice(command)
    .optionsGroup("Output:")
    .option("--top <n>", "how many of the worst loops are named; default: 5")
    .option("--json", "print the report as JSON; its schema is in the package: doomloop/report-1.schema.json")
    .option("--jsonl", "print one JSON object a line: the scan, each session, each loop")
    .option("--runs", "list every run that went in circles")
    .option("--html [file]", "write the report as a page that needs no network; default: doomloop-report.html")
    .option("--open", "open the page")
    .option("--junit <file>", "write JUnit XML")
    .option("--github", "print annotations for a GitHub workflow")
    .option("--include-content", "put arguments and outputs into --json and --html")
    .option(
      "--export <id>",
      "write a session, or the one of a loop, as a trace without its words, to report a wrong alarm",
    )
    .option("--output <file>", "where --export writes; - is standard output; default: doomloop-export-XXXXXXXX.jsonl")
    .option("--force", "with --export: write over a file, and even if the guard judges it differently")
    .option("--no-cost", "leave money and estimates out")
    .option("-q, --quiet", "one line, and no progress")
    .option("--verbose", "name every file and folder that was passed over")
    .optionsGroup("Judgement:")
    .option("--fail-on <kind|action>", "exit with 10 if there is such a loop; may be repeated", collect);
  addJudgement(command)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (paths: string[], given: ScanOptions & { sample?: boolean }) =>
      onDone(await commands.scan(sourcesOf(paths, given), given)),
    );
}

/** Adds `doomloop show`. */
export function addShow(program: Command, { commands, onDone }: ProgramOptions): void {
  const command = program
    .command("show")
    .helpGroup("Look back:")
    .summary("show one session as a timeline")
    .description(
      "Shows one session as a timeline: its steps, its loops, and what a guard would have said. Calls are counted from 1.\nEqual calls share a letter, steps of a loop stand behind a bar.",
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
    .action(async (session: string, paths: string[], given: ShowOptions & { sample?: boolean }) =>
      onDone(await commands.show(session, sourcesOf(paths, given), given)),
    );
}

/** Adds `doomloop tune`. */
export function addTune(program: Command, { commands, onDone }: ProgramOptions): void {
  const command = program
    .command("tune")
    .helpGroup("Set up:")
    .summary("find the one rule that avoids wrong alarms on your own transcripts")
    .description(
      "Shows what a guard would have said, asks whether it was right, and proposes up to three changes of the\nconfiguration that avoid what was wrong. Answers are kept in doomloop.marks.json: nobody is asked twice.",
    )
    .argument("[paths...]", "transcripts, or folders of them; default: the agents on this machine");
  addChoice(command)
    .optionsGroup("Answers:")
    .option("--wrong <id>", "a finding, or all of a session, was no loop; may be repeated; asks nothing", collect)
    .option("--right <id>", "a finding, or all of a session, was a loop; may be repeated; asks nothing", collect)
    .option("--write [n]", "write the first change, or the nth, to the configuration; asks nothing")
    .optionsGroup("Judgement:")
    .option("--config <file>", "what to start from; default: the nearest doomloop.config.json")
    .option("--no-config", "start from the balanced preset, and write nothing")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", TUNE_EXAMPLES)
    .action(async (paths: string[], given: TuneOptions & { sample?: boolean }) =>
      onDone(await commands.tune(sourcesOf(paths, given), given)),
    );
}

/** Adds `doomloop replay`, which is for programs: for people, `scan --runs` does it. */
export function addReplay(program: Command, { commands, onDone }: ProgramOptions): void {
  const command = program
    .command("replay")
    .helpGroup("Look back:")
    .summary("print what a guard decides on traces, for programs")
    .description(
      "Replays recorded runs through a guard and prints, for programs, what it would have decided. Calls are counted from 0.\nWithout --json it is doomloop scan --runs.",
    )
    .argument("[files...]", "traces: JSON Lines, one run a line, plain or gzip; - or none reads standard input")
    .optionsGroup("Output:")
    .option("--json", "print one JSON object a run")
    .optionsGroup("Judgement:");
  addJudgement(command)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", REPLAY_EXAMPLES)
    .action(async (files: string[], given: ReplayOptions) => onDone(await commands.replay(files, given)));
}
