import type { Command } from "commander";
import type { ProgramOptions } from "../program.ts";

/** Adds `doomloop hook`, for people who type it: agents start the program itself, which is there much sooner. */
export function addHook(program: Command, { commands, onDone }: ProgramOptions): void {
  program
    .command("hook", { hidden: true })
    .summary("answer one event of a coding agent")
    .description("Reads one event of a coding agent from standard input, and prints what to answer it, if anything.")
    .option("--host <name>", "whose event it is; default: told from the event")
    .option("--unattended", "nobody watches: refuse calls and end runs, too")
    .option("--start-over", "with --unattended: put files back and let a run begin anew before it is ended")
    .helpOption("-h, --help", "print this help")
    // A hook must not fail an agent, whatever is wrong with its words.
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (given: { readonly host?: string; readonly unattended?: boolean; readonly startOver?: boolean }) =>
      onDone(
        await commands.hook([
          ...(given.host ? ["--host", given.host] : []),
          ...(given.unattended ? ["--unattended"] : []),
          ...(given.startOver ? ["--start-over"] : []),
        ]),
      ),
    );
}
