import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, relative, sep } from "node:path";
import { LOOP_LABEL, PROMPT_LABEL } from "../../workspace/hook-labels.ts";
import { openWorkspace } from "../../workspace/open-workspace.ts";
import { startOverMessage } from "../../workspace/start-over-message.ts";
import type { HookFollowUp } from "../hook/handle-hook-event.ts";

/** What can be put back well within the time that an agent waits. */
const MAX_CHANGES = 1000;

/**
 * Keeps the files of a workspace, or puts them back: the same checkpoints that the commands have. Returns what is to be printed instead,
 * if anything. Never rejects: what cannot be done is not done, and the run does not start over.
 */
export async function runFollowUp(followUp: HookFollowUp): Promise<object | undefined> {
  try {
    return await (followUp.type === "restore" ? putBack(followUp) : keepFiles(followUp));
  } catch {
    // Git is missing or busy, the folder is gone: as if nobody had asked.
    return undefined;
  }
}

async function keepFiles(followUp: Extract<HookFollowUp, { type: "checkpoint" }>): Promise<undefined> {
  if (followUp.folder === undefined) return;
  const workspace = openWorkspace({ folder: followUp.folder });
  if (hasHome(workspace.root)) return;
  const { id } = await workspace.checkpoint(followUp.isPrompt ? PROMPT_LABEL : LOOP_LABEL);
  followUp.keep({ root: workspace.root, checkpoint: id });
}

/**
 * Not where files have changed since the agent was told of its loop: whatever the calls looked like, something came of them. Nor where
 * commits were made since the prompt, which would stay and make what is put back look like deleted work.
 */
async function putBack(followUp: Extract<HookFollowUp, { type: "restore" }>): Promise<object | undefined> {
  const { point, told, findings, write } = followUp;
  const workspace = openWorkspace({ root: point.root });
  if (told === undefined) return undefined;
  const since = await workspace.restore(told, { dryRun: true });
  if (since.changes.length > 0) return undefined;
  const { changes, hasHeadMoved } = await workspace.restore(point.checkpoint, { dryRun: true });
  if (hasHeadMoved || changes.length > MAX_CHANGES) return undefined;
  const areFilesRestored = changes.length > 0;
  if (areFilesRestored) await workspace.restore(point.checkpoint);
  return write(startOverMessage(findings, { isSameConversation: true, areFilesRestored }), areFilesRestored);
}

/** A home, and what it lies in, is nobody's workspace. */
function hasHome(root: string): boolean {
  const way = relative(root, realpathSync(homedir()));
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}
