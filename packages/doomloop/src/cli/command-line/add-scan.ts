import type { Command } from "commander";
import type { ScanOptions } from "../commands/scan.ts";
import type { ProgramOptions } from "../program.ts";
import { addChoice, addJudgement, collect, sourcesOf } from "./shared-options.ts";

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
