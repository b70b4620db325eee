import type { Command } from "commander";
import type { TuneOptions } from "../commands/tune.ts";
import type { ProgramOptions } from "../program.ts";
import { addChoice, collect, sourcesOf } from "./shared-options.ts";

const EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage, 130 stopped with Ctrl-C.

Examples:
  $ doomloop tune
  $ doomloop tune runs/ --wrong 3fa9c2d41b-09ab12 --right 77aa01f3c2
  $ doomloop tune --write`;

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
    .addHelpText("after", EXAMPLES)
    .action(async (paths: string[], given: TuneOptions & { sample?: boolean }) =>
      onDone(await commands.tune(sourcesOf(paths, given), given)),
    );
}
