import type { Command } from "commander";
import type { ReplayOptions } from "../commands/replay.ts";
import type { ScanOptions } from "../commands/scan.ts";
import type { ShowOptions } from "../commands/show.ts";
import type { TuneOptions } from "../commands/tune.ts";
import type { ProgramOptions } from "../program.ts";
import { addChoice, addJudgement, addSource, collect, sourcesOf } from "./shared-options.ts";

const REPLAY_EXAMPLES = `
Exit codes: 0 fine, 1 internal error, 2 wrong usage.

Examples:
  $ doomloop replay runs.jsonl more.jsonl.gz > decisions.jsonl
  $ cat runs.jsonl | doomloop replay --preset aggressive`;

const TUNE_EXAMPLES = `
Exit codes: 0 fine, 1 internal error, 2 wrong usage, 130 stopped with Ctrl-C.

Examples:
  $ doomloop tune
  $ doomloop tune runs/ --wrong 3fa9c2d41b-09ab12 --right 77aa01f3c2
  $ doomloop tune --write`;

const SHOW_EXAMPLES = `
Exit codes: 0 fine, 1 internal error, 2 wrong usage, 130 stopped with Ctrl-C.

Examples:
  $ doomloop show 3fa9c2d41b
  $ doomloop show 3fa9c2d41b runs/ --all`;

const EXAMPLES = `
Exit codes: 0 fine, 1 internal error, 2 wrong usage,
10 --fail-on found such a loop, 11 with --fail-on: no session was found, or not
everything could be read, 130 stopped with Ctrl-C.

Examples:
  $ doomloop scan
  $ doomloop scan --sample
  $ doomloop scan --last 7d --html --open
  $ doomloop scan runs/ --fail-on stop
  $ doomloop scan --json > report.json
  $ doomloop scan --export 3fa9c2d41b`;

/** Adds `doomloop scan`, the default command. */
export function addScan(program: Command, { streams, onDone }: ProgramOptions): void {
  const command = program
    .command("scan", { isDefault: true })
    .helpGroup("Look back:")
    .summary("find the loops in transcripts, and what they cost (the default)")
    .description(
      "Finds the loops in transcripts of agents, and what was spent after a guard would have stepped in.\nWithout paths: the agents on this machine, the last 30 days.",
    )
    .argument("[paths...]", "transcripts, or folders of them; plain or gzip; - reads standard input");
  addChoice(command)
    .optionsGroup("Output:")
    .option("--advise", "print what to do about the loops: paragraphs for AGENTS.md or CLAUDE.md")
    .option("--top <n>", "how many of the worst loops to list; default: 5")
    .option("--json", "print the report as JSON; its schema is in the package: doomloop/report-1.schema.json")
    .option("--html [file]", "write the report as a page that needs no network; default: doomloop-report.html")
    .option("--open", "open the page")
    .option("--github", "print annotations for a GitHub workflow")
    .option("--include-content", "put arguments and outputs into --json and --html")
    .option(
      "--export <id>",
      "write the session with this id, or with this loop, as a redacted trace, for a false alarm report",
    )
    .option("--output <file>", "where --export writes; - is standard output; default: doomloop-export-XXXXXXXX.jsonl")
    .option("--force", "with --export: overwrite a file, and write even if the guard's decisions differ")
    .option("--no-cost", "leave out money and estimates")
    .option("-q, --quiet", "print one line, and no progress")
    .option("--verbose", "list the files and folders that were skipped")
    .optionsGroup("Judgement:")
    .option("--fail-on <kind|action>", "exit with 10 if there is such a loop; may be repeated", collect);
  addJudgement(command)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (paths: string[], given: ScanOptions & { sample?: boolean }) =>
      onDone(
        await (await import("../commands/scan.ts")).scan(
          sourcesOf(paths, given),
          { ...given, isNamed: program.args[0] === "scan" },
          streams,
        ),
      ),
    );
}

/** Adds `doomloop show`. */
export function addShow(program: Command, { streams, onDone }: ProgramOptions): void {
  const command = program
    .command("show")
    .helpGroup("Look back:")
    .summary("show one session as a timeline")
    .description(
      "Shows one session as a timeline: its steps, its loops, and what a guard would have done. Calls are counted from 1.\nEqual calls share a letter. A bar marks the steps of a loop.",
    )
    .argument("<session>", "the id that scan prints, or the beginning of the session's name")
    .argument("[paths...]", "where to look; default: the agents on this machine");
  addSource(command.optionsGroup("What to show:"))
    .option("--all", "show all steps, not only those around loops")
    .option("--include-content", "also show arguments and results in a pipe or a file; a terminal shows them anyway")
    .option("--no-content", "hide arguments and results on the terminal")
    .option("--no-cost", "leave out money and estimates")
    .optionsGroup("Judgement:");
  addJudgement(command)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", SHOW_EXAMPLES)
    .action(async (session: string, paths: string[], given: ShowOptions & { sample?: boolean }) =>
      onDone(await (await import("../commands/show.ts")).show(session, sourcesOf(paths, given), given, streams)),
    );
}

/** Adds `doomloop tune`. */
export function addTune(program: Command, { streams, onDone }: ProgramOptions): void {
  const command = program
    .command("tune")
    .helpGroup("Set up:")
    .summary("find the settings that avoid false alarms on your own transcripts")
    .description(
      "Shows what a guard would have done, asks whether it was right, and proposes up to three configuration changes that avoid the false alarms.\nIt saves your answers in doomloop.marks.json and never asks twice.",
    )
    .argument("[paths...]", "transcripts, or folders of them; default: the agents on this machine");
  addChoice(command)
    .optionsGroup("Answers:")
    .option(
      "--wrong <id>",
      "this loop, or every loop of this session, was a false alarm; may be repeated; asks nothing",
      collect,
    )
    .option("--right <id>", "this loop, or every loop of this session, was one; may be repeated; asks nothing", collect)
    .option("--write [n]", "write the first or the nth change to the configuration; asks nothing")
    .option("--no-content", "hide arguments and results")
    .optionsGroup("Judgement:")
    .option("--config <file>", "the configuration to start from; default: the nearest doomloop.config.json")
    .option("--no-config", "start from the balanced preset, and write nothing")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", TUNE_EXAMPLES)
    .action(async (paths: string[], given: TuneOptions & { sample?: boolean }) =>
      onDone(await (await import("../commands/tune.ts")).tune(sourcesOf(paths, given), given, streams)),
    );
}

/** Adds `doomloop replay`, which is for programs. People use `scan`. */
export function addReplay(program: Command, { streams, onDone }: ProgramOptions): void {
  const command = program
    .command("replay")
    .helpGroup("Look back:")
    .summary("print what a guard decides on traces, for programs")
    .description(
      "Replays recorded runs through a guard and prints its decisions for programs. Calls are counted from 0.",
    )
    .argument("[files...]", "traces: JSON Lines, one run per line, plain or gzip; - or no file reads standard input")
    .optionsGroup("Judgement:");
  addJudgement(command)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", REPLAY_EXAMPLES)
    .action(async (files: string[], given: ReplayOptions) =>
      onDone(await (await import("../commands/replay.ts")).replay(files, given, streams)),
    );
}
