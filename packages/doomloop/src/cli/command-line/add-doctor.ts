import type { Command } from "commander";
import { WIRABLE_AGENTS } from "../../agents/index.ts";
import type { ProgramOptions } from "../program.ts";

const EXAMPLES = `
It runs the very commands that stand in the agents' settings, and leaves nothing behind.

Exit codes: 0 all of it works, 1 something does not, 2 wrong usage.

Examples:
  $ doomloop doctor
  $ doomloop doctor ${WIRABLE_AGENTS[1]?.name}`;

/** Adds `doomloop doctor`. */
export function addDoctor(program: Command, { commands, onDone }: ProgramOptions): void {
  program
    .command("doctor")
    .helpGroup("Coding agents:")
    .summary("prove that the hooks work, and how fast they are")
    .description(
      "Tells the hook of each wired agent of a loop, as the agent would, and shows what it says and how long it takes.",
    )
    .argument("[agents...]", "default: all that init has wired")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (agents: string[]) => onDone(await commands.doctor(agents)));
}
