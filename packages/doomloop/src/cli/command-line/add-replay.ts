import type { Command } from "commander";
import type { ReplayOptions } from "../commands/replay.ts";
import type { ProgramOptions } from "../program.ts";
import { addJudgement } from "./shared-options.ts";

const EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage.

Examples:
  $ doomloop replay --json runs.jsonl more.jsonl.gz > decisions.jsonl
  $ cat runs.jsonl | doomloop replay --json --preset aggressive`;

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
    .addHelpText("after", EXAMPLES)
    .action(async (files: string[], given: ReplayOptions) => onDone(await commands.replay(files, given)));
}
