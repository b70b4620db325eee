import type { Command } from "commander";
import type { TuneOptions } from "../commands/tune.ts";
import type { ProgramOptions } from "../program.ts";
import { addChoice, collect } from "./shared-options.ts";

const EXAMPLES = `
Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage, 130 stopped with Ctrl-C.

Examples:
  $ doomloop tune --ask
  $ doomloop tune runs/ --right 3fa9c2d41b-09ab12 --wrong 77aa01f3c2-51d0e4
  $ doomloop tune --write`;

/** Adds `doomloop tune`. */
export function addTune(program: Command, { commands, onDone }: ProgramOptions): void {
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
    .addHelpText("after", EXAMPLES)
    .action(async (paths: string[], given: TuneOptions) => onDone(await commands.tune(paths, given)));
}
