import type { Command } from "commander";
import type { ReplayOptions } from "../commands/replay.ts";
import type { ProgramOptions } from "../program.ts";
import { addJudgement } from "./shared-options.ts";

const EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage.

Examples:
  $ doomloop replay runs.jsonl more.jsonl.gz
  $ doomloop replay --preset aggressive runs.jsonl
  $ cat runs.jsonl | doomloop replay --json > decisions.jsonl`;

/** Adds `doomloop replay`. */
export function addReplay(program: Command, { commands, onDone }: ProgramOptions): void {
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
    .addHelpText("after", EXAMPLES)
    .action(async (files: string[], given: ReplayOptions) => onDone(await commands.replay(files, given)));
}
