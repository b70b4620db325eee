import type { Command } from "commander";
import type { ShowOptions } from "../commands/show.ts";
import type { ProgramOptions } from "../program.ts";
import { addJudgement, addSource, sourcesOf } from "./shared-options.ts";

const EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage, 130 stopped with Ctrl-C.

Examples:
  $ doomloop show 3fa9c2d41b
  $ doomloop show 3fa9c2d41b runs/ --all`;

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
    .addHelpText("after", EXAMPLES)
    .action(async (session: string, paths: string[], given: ShowOptions & { sample?: boolean }) =>
      onDone(await commands.show(session, sourcesOf(paths, given), given)),
    );
}
