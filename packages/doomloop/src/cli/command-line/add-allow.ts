import type { Command } from "commander";
import type { AllowOptions } from "../commands/allow.ts";
import type { ProgramOptions } from "../program.ts";
import { collect } from "./shared-options.ts";

const EXAMPLES = `
It holds for the folder that you are in, and for agents that work there.

Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage.

Examples:
  $ doomloop allow
  $ doomloop allow --tool mcp__ci__status
  $ doomloop allow --project --undo`;

/** Adds `doomloop allow`. */
export function addAllow(program: Command, { commands, onDone }: ProgramOptions): void {
  program
    .command("allow")
    .helpGroup("Coding agents:")
    .summary("say that it is no loop, and go on")
    .description("Says of the latest loop in this folder that it is none: the agent is not told of it again.")
    .optionsGroup("What to allow:")
    .option("--tool <name>", "calls of this tool do not count in this folder; may be repeated", collect)
    .option("--project", "hooks say nothing in this folder")
    .option("--undo", "take it back: the tool, the folder, or without either all of it")
    .option("--list", "print what is allowed in this folder")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (given: AllowOptions) => onDone(await commands.allow(given)));
}
