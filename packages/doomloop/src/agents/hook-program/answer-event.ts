import { join } from "node:path";
import { countNudges } from "../hook/count-nudges.ts";
import type { HookHost } from "../hook/dialect.ts";
import { folderRules } from "../hook/folder-file.ts";
import { type KeptHook, keepHook } from "../hook/handle-hook-event.ts";
import { noteUnheard } from "../hook/missed-events.ts";

export interface AnswerEventOptions {
  readonly host: HookHost | undefined;
  readonly isUnattended: boolean;
  /**
   * Whether a run may start over.
   * @default false
   */
  readonly startsOver?: boolean;
  /**
   * Nobody can be asked, whatever the agent says of itself.
   * @default false
   */
  readonly isHeadless?: boolean | undefined;
  /** The folder of what hooks keep. */
  readonly state: string;
  /** How long it may wait for other hooks of the same agent, in milliseconds. */
  readonly budgetMs: number;
}

/** Answers one event of a coding agent, in its own words: none as a rule. Never throws. */
export function answerEvent(value: unknown, options: AnswerEventOptions): Pick<KeptHook, "output" | "errand"> {
  const { state, ...settings } = options;
  const directory = join(state, "runs");
  try {
    const kept = keepHook(value, {
      ...settings,
      directory,
      rulesOf: (folder) => folderRules(state, folder),
      reportFault: () => {},
    });
    if (kept !== undefined) countQuietly(() => countNudges(state, kept, Date.now()));
    return kept ?? SILENCE;
  } catch {
    noteUnheard(directory);
    return SILENCE;
  }
}

const SILENCE = { output: undefined };

/** A count that cannot be written is no reason to keep silent. */
function countQuietly(action: () => void): void {
  try {
    action();
  } catch {
    // The disk is full, or not ours.
  }
}
