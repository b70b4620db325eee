import type { Command } from "commander";
import type { CheckpointOptions, RestoreCommandOptions } from "../commands/workspace.ts";
import type { ProgramOptions } from "../program.ts";

const CODES = "Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage or no git.";
const RESTORE_CODES = "Exit codes: 0 fine, 1 a file was left as it is or a fault of doomloop, 2 wrong usage or no git.";
const CHECKPOINT_EXAMPLES = `
${CODES}

Examples:
  $ doomloop checkpoint --label "before the agent"
  $ doomloop checkpoint --list`;
const RESTORE_EXAMPLES = `
${RESTORE_CODES}

Examples:
  $ doomloop restore --dry-run
  $ doomloop restore
  $ doomloop restore 3fa9c2d41b07 src/parser.ts test/`;
const UNDO_EXAMPLES = `
${RESTORE_CODES}

Examples:
  $ doomloop undo --dry-run
  $ doomloop undo`;

/** Adds `doomloop checkpoint`, `doomloop restore` and `doomloop undo`. */
export function addWorkspace(program: Command, { commands, onDone }: ProgramOptions): void {
  finish(
    begin(program, "checkpoint", "keep the files as they are now")
      .description(
        "Keeps the files of the workspace as they are now, in a repository of its own. Yours is not touched.\nIgnored files and repositories inside the workspace are left out.",
      )
      .option("--label <text>", "what it is, for the list")
      .option("--list", "list the checkpoints there are, newest first"),
    CHECKPOINT_EXAMPLES,
  ).action(async (given: CheckpointOptions) => onDone(await commands.checkpoint(given)));

  finish(
    begin(program, "restore", "bring the files back to a checkpoint")
      .description(
        "Brings files that changed since a checkpoint back to how they were, and touches no others.\nWhat was there is kept first: doomloop undo takes it all back. Let no agent work meanwhile.",
      )
      .argument("[checkpoint]", "its id, or how it begins; default: the latest that was asked for")
      .argument("[paths...]", "only these files and folders")
      .option("--dry-run", "change nothing, and say what would change")
      .option("--yes", "do not ask; on a terminal, more than 20 files are asked about"),
    RESTORE_EXAMPLES,
  ).action(async (id: string | undefined, paths: string[], given: RestoreCommandOptions) =>
    onDone(await commands.restore(id, paths, given)),
  );

  finish(
    begin(program, "undo", "take the latest restore back")
      .description("Takes the latest restore back, file by file. Once more, and the restore is done again.")
      .option("--dry-run", "change nothing, and say what would change"),
    UNDO_EXAMPLES,
  ).action(async (given: RestoreCommandOptions) => onDone(await commands.undo(given)));
}

function begin(program: Command, name: string, summary: string): Command {
  return program.command(name).helpGroup("Start over:").summary(summary).optionsGroup("What to do:");
}

function finish(command: Command, examples: string): Command {
  return command
    .optionsGroup("Other:")
    .option("--root <folder>", "the workspace; default: the top of the repository around here, or this folder")
    .option("--json", "print one JSON object")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", examples);
}
