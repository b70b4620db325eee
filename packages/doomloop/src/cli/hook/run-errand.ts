import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, relative, sep } from "node:path";
import { startOverMessage } from "../../core/messages/start-over.ts";
import type { HookErrand } from "../../hooks/keep-hook.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";

const LABEL = "when the user spoke to the agent";

/**
 * Keeps the files of a workspace, or puts them back: the same checkpoints that the commands have. Returns what is to be printed instead,
 * if anything. Never rejects: what cannot be done is not done, and the run does not start over.
 */
export async function runErrand(errand: HookErrand): Promise<object | undefined> {
  try {
    if (errand.type === "restore") {
      const { root, checkpoint } = errand.point;
      await openWorkspace({ root }).restore(checkpoint);
      return errand.write(startOverMessage(errand.findings, { isSameConversation: true }));
    }
    if (errand.folder === undefined) return undefined;
    const workspace = openWorkspace({ folder: errand.folder });
    if (hasHome(workspace.root)) return undefined;
    const { id } = await workspace.checkpoint(LABEL);
    errand.keep({ root: workspace.root, checkpoint: id });
  } catch {
    // Git is missing or busy, the folder is gone: as if nobody had asked.
  }
  return undefined;
}

/** A home, and what it lies in, is nobody's workspace. */
function hasHome(root: string): boolean {
  const way = relative(root, realpathSync(homedir()));
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}
