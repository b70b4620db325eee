import type { Checkpoint } from "./checkpoint-store.ts";
import type { RestoreReport } from "./restore-report.ts";
import { createTimeline } from "./timeline.ts";
import { checkOptions, type WorkspaceOptions } from "./workspace-options.ts";

/** Options of {@link Workspace.restore}. */
interface RestoreOptions {
  /**
   * Change nothing, and report what would change.
   * @default false
   */
  readonly dryRun?: boolean;
  /**
   * Restore only these files and folders, such as those that the agent wrote. They are paths relative to the root, with `/` between
   * names. An empty list restores nothing, `.` restores everything, and a path outside the workspace is refused.
   * @default everything that changed since the checkpoint
   */
  readonly paths?: readonly string[];
}

/** The files that an agent works on, and a way to restore earlier versions of them. */
export interface Workspace {
  /** The path of the folder, with all links resolved. */
  readonly root: string;
  /** Saves the files as they are now. If an earlier restore was interrupted, it is completed first and reported as `completed`. */
  checkpoint(label?: string): Promise<Checkpoint & Pick<RestoreReport, "completed">>;
  /** All checkpoints, newest first. */
  list(): Promise<readonly Checkpoint[]>;
  /**
   * Restores the files that have changed since a checkpoint, and touches no others. It first saves the current files in a
   * checkpoint of their own. The agent should not be working at the same time.
   */
  restore(id: string, options?: RestoreOptions): Promise<RestoreReport>;
  /** Undoes the latest restore, file by file. A second call redoes the restore. */
  undo(options?: Pick<RestoreOptions, "dryRun">): Promise<RestoreReport>;
}

/**
 * Opens a workspace for checkpoints. They are kept in a separate repository: the workspace's `.git` is never touched.
 *
 * Throws a `DoomloopError` for an invalid option. The workspace's functions reject with one if git is missing
 * (`git-missing`), a checkpoint does not exist (`unknown-checkpoint`), another process is using the workspace
 * (`workspace-busy`) or something else fails (`workspace-fault`).
 */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const checked = checkOptions(options);
  const timeline = createTimeline(checked);
  return {
    root: checked.root,
    checkpoint: timeline.checkpoint,
    list: timeline.list,
    restore: timeline.restore,
    undo: timeline.undo,
  };
}
