import { parse } from "unbash";
import { type CommandDraft, createCommandDraft } from "./command-draft.ts";
import { EffectRank } from "./effect-rank.ts";
import { isAssignment } from "./is-assignment.ts";
import { isParseable } from "./is-parseable.ts";
import { readProgram } from "./read-program.ts";
import { Separator } from "./separator.ts";
import { splitPlainCommand } from "./split-plain-command.ts";
import { walkScript } from "./walk-script.ts";

/** What a shell command is about, read without running it. */
export interface CommandReading {
  /**
   * The command without what does not make it a different one: a leading `cd x &&`, `timeout 60`, `2>&1`,
   * `2>/dev/null`, a trailing `| tail -20`, `|| true`, spacing and quoting. Made to be compared, not to be run.
   */
  readonly substance: string;
  /** The one file that a plain file read shows, from where the shell is: `src/a.ts` for `cd src && head ./a.ts`. */
  readonly file?: string;
  /** Does it look, change, wait, or is the program unknown? */
  readonly effect: "look" | "change" | "wait" | "unknown";
  /** Milliseconds that it asks to sleep; 0 if none. */
  readonly waitMs: number;
  /** Several commands in one, which may have changed something although the whole failed. */
  readonly isCompound: boolean;
  /** Does it run tests? */
  readonly isTest: boolean;
  /** Does it work on files by shell, as an agent's file tools would? */
  readonly isFileOperation: boolean;
}

/** Reads a shell command. Never throws: what is no command, or too much of one, is unknown. */
export function readCommand(command: string): CommandReading {
  try {
    const words = splitPlainCommand(command);
    return words === undefined ? readParsedCommand(command) : readPlainCommand(command, words);
  } catch {
    return unreadable(command, EffectRank.unknown);
  }
}

/** Most calls are one program and its arguments, for which no parser is needed. */
function readPlainCommand(command: string, words: readonly string[]): CommandReading {
  let start = 0;
  while (start < words.length && isAssignment(words[start]!)) start++;
  const draft = createCommandDraft();
  readProgram(draft, words, start, undefined);
  // `bash -c ls` leaves a script to read.
  if (draft.stack.length + draft.substitutions.length > 0) walkScript(draft);
  return finish(draft, command);
}

/** @internal The way of every command that is not plain; exported to be held against the plain one. */
export function readParsedCommand(command: string): CommandReading {
  if (!isParseable(command)) return unreadable(command, EffectRank.unknown);
  const script = parse(command);
  const draft = createCommandDraft();
  draft.isFaulty = script.errors !== undefined && script.errors.length > 0;
  draft.stack.push(script);
  walkScript(draft);
  return finish(draft, command);
}

function finish(draft: CommandDraft, command: string): CommandReading {
  const { directory, file, waitMs, isTest, isFileOperation } = draft;
  if (draft.isFaulty) return { ...unreadable(command, draft.effect), waitMs, isTest, isFileOperation };
  const isCompound = draft.isCompound || draft.pipelines > 1;
  const isEmpty = draft.substance === "";
  // A `cd` is all that a command may consist of.
  const substance = isEmpty && directory !== "" ? `cd${Separator.word}${directory}` : draft.substance;
  const effect = effectName(draft.effect, isEmpty && directory === "");
  const reading = { substance, effect, waitMs, isCompound, isTest, isFileOperation };
  return file === undefined || isCompound || draft.isDiverted ? reading : withFile(reading, file);
}

/** Written out, because spreading costs more than the rest of a short command. */
function withFile(reading: CommandReading, file: string): CommandReading {
  const { substance, effect, waitMs, isCompound, isTest, isFileOperation } = reading;
  return { substance, file, effect, waitMs, isCompound, isTest, isFileOperation };
}

/** Setting up the shell is a change if it is all that happens; a comment or nothing at all is a look. */
function effectName(effect: EffectRank, isNothing: boolean): CommandReading["effect"] {
  switch (effect) {
    case EffectRank.none:
      return isNothing ? "look" : "change";
    case EffectRank.look:
      return "look";
    case EffectRank.wait:
      return "wait";
    case EffectRank.unknown:
      return "unknown";
    default:
      return "change";
  }
}

function unreadable(command: string, effect: EffectRank): CommandReading {
  return {
    substance: command,
    effect: effect === EffectRank.change ? "change" : "unknown",
    waitMs: 0,
    isCompound: true,
    isTest: false,
    isFileOperation: false,
  };
}
