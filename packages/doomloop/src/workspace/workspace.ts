import type { Checkpoint } from "./checkpoint.ts";
import type { RestoreReport } from "./restore-report.ts";
import { createTimeline } from "./timeline.ts";
import { checkOptions, type WorkspaceOptions } from "./workspace-options.ts";

/** How a checkpoint is gone back to. */
export interface RestoreOptions {
  /**
   * Change nothing, and say what would change.
   * @default false
   */
  readonly dryRun?: boolean;
  /**
   * Only these files and folders, as paths from the root with `/` between names: what the agent wrote, if you know it. An empty list is
   * nothing, `.` is everything, and what lies outside is refused.
   * @default everything that changed since the checkpoint
   */
  readonly paths?: readonly string[];
}

/** The files that an agent works on, and the way back to how they were. */
export interface Workspace {
  /** The folder, with every link in its path resolved. */
  readonly root: string;
  /** Keeps the files as they are now. A restore that was cut short is completed first, and told as `completed`. */
  checkpoint(label?: string): Promise<Checkpoint & Pick<RestoreReport, "completed">>;
  /** All checkpoints, newest first. */
  list(): Promise<readonly Checkpoint[]>;
  /**
   * Brings the files that changed since a checkpoint back to how they were then, and touches no others. What was there is
   * kept in a checkpoint of its own before. The agent should not be at work meanwhile.
   */
  restore(id: string, options?: RestoreOptions): Promise<RestoreReport>;
  /** Takes the latest restore back, file by file. Once more, and the restore is done again. */
  undo(options?: Pick<RestoreOptions, "dryRun">): Promise<RestoreReport>;
}

/**
 * Opens a workspace for checkpoints. They are kept in a repository of their own: the workspace's `.git` is never touched.
 *
 * Throws a `DoomloopError` for options that make no sense. So do the functions of the workspace where git is missing
 * (`git-missing`), a checkpoint is not there (`unknown-checkpoint`), another process is at work (`workspace-busy`) or
 * something fails (`workspace-fault`).
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
