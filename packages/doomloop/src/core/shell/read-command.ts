import { createDraft } from "./draft.ts";
import { Rank } from "./programs.ts";
import { readScript } from "./read-script.ts";

/** What a shell command is about, read without running it. */
export interface CommandReading {
  /**
   * The command without what does not make it a different one: a leading `cd x &&`, `timeout 60`, `2>&1`,
   * `2>/dev/null`, a trailing `| tail -20`, `|| true`, spacing and quoting. Made to be compared, not to be run.
   */
  readonly substance: string;
  /** The one file that a plain file read shows, from where the shell is: `src/a.ts` for `cd src && head ./a.ts`. */
  readonly file: string | undefined;
  /** Does it look, change, wait, or is the program unknown? */
  readonly effect: "look" | "change" | "wait" | "unknown";
  /** Milliseconds that it asks to sleep; 0 if none. */
  readonly waitMs: number;
  /** Several commands in one, which may have changed something although the whole failed. */
  readonly isCompound: boolean;
  /** Is it about something that others, or time, may change: a service, a machine, a process? */
  readonly isOutside: boolean;
  /** Does it leave something running behind it? */
  readonly isStarting: boolean;
  /** Does it run to see how it comes out: tests, a benchmark? */
  readonly isMeasuring: boolean;
  /** Does it run tests? */
  readonly isTest: boolean;
  /** Does it work on files by shell, as an agent's file tools would? */
  readonly isFileOperation: boolean;
}

const MAX_LENGTH = 16_384;
const EFFECT_NAMES = ["change", "look", "wait", "unknown", "change"] as const;

/** Reads a shell command. What is no command, or too much of one, is unknown. */
export function readCommand(command: string): CommandReading {
  const draft = createDraft();
  if (command.length > MAX_LENGTH || command.includes("\0")) draft.isFaulty = true;
  else readScript(draft, command);
  const { directory, waitMs, isOutside, isStarting, isMeasuring, isTest, isFileOperation, isFaulty } = draft;
  const isCompound = isFaulty || draft.isCompound || draft.pipelines > 1;
  // A `cd` is all that a command may consist of; setting up the shell is a change if it is all that happens.
  const substance = (isFaulty ? command : draft.substance) || (directory === "" ? "" : `cd\0 ${directory}`);
  const rank = isFaulty ? Math.max(draft.effect, Rank.unknown) : draft.effect;
  const effect = substance === "" && rank === Rank.none ? "look" : EFFECT_NAMES[rank]!;
  const file = isCompound || draft.isDiverted ? undefined : draft.file;
  return {
    substance,
    file,
    effect,
    waitMs,
    isCompound,
    isOutside,
    isStarting,
    isMeasuring: isMeasuring || isTest,
    isTest,
    isFileOperation,
  };
}
