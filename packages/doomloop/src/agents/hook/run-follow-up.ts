import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { CHECK_LABEL, LOOP_LABEL, openWorkspace, PROMPT_LABEL } from "../../workspace/open-workspace.ts";
import { startOverMessage } from "../../workspace/start-over-message.ts";
import { isInside } from "../../workspace/workspace-options.ts";
import type { HookFollowUp } from "./answer-event.ts";
import { createWriters, hasForeignChange } from "./foreign-changes.ts";

/** More changes might take longer than the agent waits. */
const MAX_CHANGES = 1000;
const MOMENT_MS = 400;

/** What became of it. */
interface FollowUpOutcome {
  /** What to print instead. */
  readonly instead?: object | undefined;
  /** What was done to the files, for the log. */
  readonly note?: string;
}

/** Keeps the files of workspaces and puts them back, with the same checkpoints that the commands use. */
export interface FollowUps {
  /** Never rejects: if something fails, the run does not start over. */
  run(followUp: Checkpoint | Restore, run: string): Promise<FollowUpOutcome>;
  /** Waits for something, but not for long: the agent does nothing meanwhile. */
  withinMoment(task: Promise<void>): Promise<void>;
  /** A call of a run may be writing to this folder. */
  noteWriter(run: string, folder: string): void;
}

export interface FollowUpsOptions {
  /** The folder of what hooks keep. */
  readonly state: string;
  now(): number;
  /**
   * An answer waits this long for a checkpoint or a halt. Then that goes on by itself.
   * @default 400
   */
  readonly momentMs?: number | undefined;
}

const NOTHING: FollowUpOutcome = {};
const LABELS = { prompt: PROMPT_LABEL, told: LOOP_LABEL, failing: CHECK_LABEL } as const;

type Checkpoint = Extract<HookFollowUp, { type: "checkpoint" }>;
type Restore = Extract<HookFollowUp, { type: "restore" }>;

export function createFollowUps({ state, now, momentMs = MOMENT_MS }: FollowUpsOptions): FollowUps {
  const writers = createWriters(now);
  /** Folders of which files are being kept. */
  const busy = new Set<string>();

  const keepFiles = async ({ folder, reason, keep }: Checkpoint): Promise<void> => {
    if (folder === undefined) return;
    // If the next call begins before the other is over, this one would be of no use.
    if (reason !== "prompt" && busy.has(folder)) return;
    busy.add(folder);
    try {
      const workspace = openWorkspace({ folder, state }, process);
      if (hasHome(workspace.root)) return;
      const { id } = await workspace.checkpoint(LABELS[reason]);
      keep({ root: workspace.root, checkpoint: id });
    } catch {
      // Git is missing or busy, or the folder is gone.
    } finally {
      busy.delete(folder);
    }
  };

  /**
   * Goes back to where the looping check began to fail: what came before stays, and so does all that a check has confirmed since.
   *
   * Does nothing if files have changed since the agent was told about its loop, because then the calls achieved something. Does nothing
   * either if something was committed or somebody else was at work.
   */
  const putBack = async (followUp: Restore, run: string): Promise<FollowUpOutcome> => {
    const { point, told, failing, windows, findings, write } = followUp;
    const { root } = point;
    const workspace = openWorkspace({ root, state }, process);
    if (told === undefined) return NOTHING;
    const since = await workspace.restore(told, { dryRun: true });
    if (since.changes.length > 0) return NOTHING;
    const planned = failing && (await workspace.restore(failing.checkpoint, { dryRun: true }));
    if (failing === undefined || planned === undefined || planned.changes.length === 0)
      return { instead: write(messageFor(findings, false), undefined), note: NO_FILES };
    const { changes, hasHeadMoved } = planned;
    if (hasHeadMoved || changes.length > MAX_CHANGES) return NOTHING;
    if (writers.hasOther(run, root, failing.at) || hasForeignChange(root, changes, windows)) return NOTHING;
    const { changes: done } = await workspace.restore(failing.checkpoint);
    const what = whatWasDone(done.length);
    return { instead: write(messageFor(findings, true), `doomloop: ${what}`), note: what };
  };

  return {
    async run(followUp, run) {
      if (followUp.type === "checkpoint") {
        await withinMoment(keepFiles(followUp), momentMs);
        return NOTHING;
      }
      return putBack(followUp, run).catch(() => NOTHING);
    },
    withinMoment: (task) => withinMoment(task, momentMs),
    noteWriter: (run, folder) => writers.note(run, folder),
  };
}

const NO_FILES = "The agent went in circles and was told to start over. Its files stay as they are.";

function whatWasDone(files: number): string {
  const many = files === 1 ? "1 file is" : `${files} files are`;
  const where = `back to where ${files === 1 ? "it was" : "they were"} when the check that it repeats began to fail`;
  return `The agent went in circles: ${many} ${where}. Undo with \`doomloop undo\`.`;
}

function messageFor(findings: Restore["findings"], areFilesRestored: boolean): string {
  return startOverMessage(findings, { isSameConversation: true, areFilesRestored });
}

/** Waits for a task, but not for long. */
async function withinMoment(task: Promise<void>, momentMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const moment = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, momentMs);
  });
  await Promise.race([task, moment]);
  clearTimeout(timer);
}

/** The home folder, and every folder above it, is never a workspace. */
function hasHome(root: string): boolean {
  return isInside(root, realpathSync(homedir()));
}
