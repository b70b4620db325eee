import type { Command } from "commander";
import type { CheckpointOptions, RestoreCommandOptions } from "../commands/workspace.ts";
import type { ProgramOptions } from "../program.ts";

const CODES = "Exit codes: 0 fine, 1 internal error, 2 wrong usage or no git.";
const RESTORE_CODES = "Exit codes: 0 fine, 1 a file was left unchanged or internal error,\n2 wrong usage or no git.";
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

const DRY_RUN = ["--dry-run", "change nothing, and show what would change"] as const;
const YES = ["--yes", "do not ask; on a terminal, it asks before it changes more than 20 files"] as const;

/** Adds `doomloop checkpoint`, `doomloop restore` and `doomloop undo`. */
export function addWorkspace(program: Command, { streams, onDone }: ProgramOptions): void {
  finish(
    begin(program, "checkpoint", "save the files as they are now")
      .description(
        "Saves the files of the workspace as they are now, in a separate repository. Yours is not touched.\nIgnored files and repositories inside the workspace are left out.",
      )
      .option("--label <text>", "a label for the list")
      .option("--list", "list all checkpoints, newest first"),
    CHECKPOINT_EXAMPLES,
  ).action(async (given: CheckpointOptions) =>
    onDone(await (await import("../commands/workspace.ts")).checkpoint(given, streams)),
  );

  finish(
    begin(program, "restore", "restore the files of a checkpoint")
      .description(
        "Restores files that changed since a checkpoint, and touches no others.\nThe current files are saved first: doomloop undo restores them. Do not let an agent work in the meantime.",
      )
      .argument("[checkpoint]", "its id, or the start of it; default: the latest one you made")
      .argument("[paths...]", "only these files and folders")
      .option(...DRY_RUN)
      .option(...YES),
    RESTORE_EXAMPLES,
  ).action(async (id: string | undefined, paths: string[], given: RestoreCommandOptions) =>
    onDone(await (await import("../commands/workspace.ts")).restore(id, paths, given, streams)),
  );

  finish(
    begin(program, "undo", "undo the latest restore")
      .description("Undoes the latest restore, file by file. Run it again to redo the restore.")
      .option(...DRY_RUN)
      .option(...YES),
    UNDO_EXAMPLES,
  ).action(async (given: RestoreCommandOptions) =>
    onDone(await (await import("../commands/workspace.ts")).undo(given, streams)),
  );
}

function begin(program: Command, name: string, summary: string): Command {
  return program.command(name).helpGroup("Start over:").summary(summary).optionsGroup("What to do:");
}

function finish(command: Command, examples: string): Command {
  return command
    .optionsGroup("Other:")
    .option("--root <folder>", "the workspace; default: the root of this repository, or this folder")
    .option("--json", "print one JSON object")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", examples);
}
