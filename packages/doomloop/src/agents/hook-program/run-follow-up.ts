import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, relative, sep } from "node:path";
import { LOOP_LABEL, openWorkspace, PROMPT_LABEL } from "../../workspace/open-workspace.ts";
import { startOverMessage } from "../../workspace/start-over-message.ts";
import type { HookFollowUp } from "../hook/handle-hook-event.ts";

/** More changes might take longer than the agent waits. */
const MAX_CHANGES = 1000;

/**
 * Saves the files of a workspace or puts them back, with the same checkpoints that the commands use. Returns what to print instead, if
 * anything. Never rejects: if something fails, the run does not start over.
 */
export async function runFollowUp(followUp: HookFollowUp): Promise<object | undefined> {
  try {
    return await (followUp.type === "restore" ? putBack(followUp) : keepFiles(followUp));
  } catch {
    // Git is missing or busy, or the folder is gone.
    return undefined;
  }
}

async function keepFiles(followUp: Extract<HookFollowUp, { type: "checkpoint" }>): Promise<undefined> {
  if (followUp.folder === undefined) return;
  const workspace = openWorkspace({ folder: followUp.folder }, process);
  if (hasHome(workspace.root)) return;
  const { id } = await workspace.checkpoint(followUp.isPrompt ? PROMPT_LABEL : LOOP_LABEL);
  followUp.keep({ root: workspace.root, checkpoint: id });
}

/**
 * Does nothing if files have changed since the agent was told about its loop, because then the calls achieved something. Does nothing
 * either if commits were made since the prompt. They would stay, and the restored files would look like deleted work.
 */
async function putBack(followUp: Extract<HookFollowUp, { type: "restore" }>): Promise<object | undefined> {
  const { point, told, findings, write } = followUp;
  const workspace = openWorkspace({ root: point.root }, process);
  if (told === undefined) return undefined;
  const since = await workspace.restore(told, { dryRun: true });
  if (since.changes.length > 0) return undefined;
  const { changes, hasHeadMoved } = await workspace.restore(point.checkpoint, { dryRun: true });
  if (hasHeadMoved || changes.length > MAX_CHANGES) return undefined;
  const areFilesRestored = changes.length > 0;
  if (areFilesRestored) await workspace.restore(point.checkpoint);
  return write(startOverMessage(findings, { isSameConversation: true, areFilesRestored }), areFilesRestored);
}

/** The home folder, and every folder above it, is never a workspace. */
function hasHome(root: string): boolean {
  const way = relative(root, realpathSync(homedir()));
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}
