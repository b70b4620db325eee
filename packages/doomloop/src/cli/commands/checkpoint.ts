import { asked, openWorkspace, type WorkspaceChoice } from "../../workspace/open-workspace.ts";
import { listCheckpoints, tellCheckpoint } from "../reporters/checkpoint-lines.ts";
import { tellCompleted } from "../reporters/restore-lines.ts";
import { type CommandStreams, WIDE } from "./command-streams.ts";

export interface CheckpointOptions extends WorkspaceChoice {
  readonly label?: string;
  readonly list?: boolean;
  readonly json?: boolean;
}

/** Keeps the files as they are, or lists the times that this was done. Returns the exit code. */
export async function checkpoint(options: CheckpointOptions, streams: CommandStreams): Promise<number> {
  const { output, width = WIDE } = streams;
  const workspace = openWorkspace(options);
  if (options.list === true) {
    const checkpoints = await asked(() => workspace.list());
    if (options.json === true) await output.write(`${JSON.stringify(checkpoints)}\n`);
    else await output.write(listCheckpoints(checkpoints, { width, now: Date.now() }));
    return 0;
  }
  const made = await asked(() => workspace.checkpoint(options.label));
  streams.messages.write(tellCompleted(made.completed));
  await output.write(options.json === true ? `${JSON.stringify(made)}\n` : tellCheckpoint(made, workspace.root));
  return 0;
}
