import { Rank } from "./programs.ts";
import { createDraft, type Draft, emit, joinPath, PIPE, readProgram, WRITING } from "./read-program.ts";
import { type Command, tokenize } from "./tokenize.ts";

/** What a shell command is about, read without running it. */
export interface CommandReading {
  /**
   * The command without what does not make it a different one: a leading `cd x &&`, `timeout 60`, `2>&1`,
   * `2>/dev/null`, a trailing `| tail -20`, `|| true`, spacing and quoting. Made to be compared, not to be run.
   */
  readonly substance: string;
  /** The one file that a plain file read shows, seen from the shell's folder: `src/a.ts` for `cd src && head ./a.ts`. */
  readonly file: string | undefined;
  readonly effect: "look" | "change" | "wait" | "unknown";
  /** Milliseconds that it asks to sleep; 0 if it does not. */
  readonly waitMs: number;
  /** Several commands in one, which may have changed something although the whole failed. */
  readonly isCompound: boolean;
  /** It is about something that may change without the agent: a service, a machine, a process. */
  readonly isOutside: boolean;
  /** It leaves something running in the background. */
  readonly isStarting: boolean;
  /** It runs to see how it comes out: tests, a benchmark. */
  readonly isMeasuring: boolean;
  /** It works on files by shell, as an agent's file tools would. */
  readonly isFileOperation: boolean;
}

/** Longer commands are not read, so that reading one takes a bounded time. */
const MAX_COMMAND_LENGTH = 16_384;
/** How deep scripts may nest, as in `bash -c 'bash -c ...'`. */
const MAX_SCRIPTS = 3;
const EFFECT_NAMES = ["change", "look", "wait", "unknown", "change"] as const;

/** Reads a shell command. What is not a command, or is too long, has an unknown effect. */
export function readCommand(command: string): CommandReading {
  const draft = createDraft();
  if (command.length > MAX_COMMAND_LENGTH || command.includes("\0")) draft.isFaulty = true;
  else readScript(draft, command);
  const { directory, waitMs, isOutside, isStarting, isMeasuring, isFileOperation, isFaulty } = draft;
  const isCompound = isFaulty || draft.isCompound || draft.pipelines > 1;
  // A command may consist of a `cd` alone. If it only sets up the shell, that is a change.
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
    isMeasuring,
    isFileOperation,
  };
}

/** Words that hold several commands together. */
const STRUCTURE = /^(?:if|then|elif|else|fi|for|select|while|until|do|done|case|esac|\{|\}|function|coproc|!)$/;
/** A filter that only shortens what is shown. */
const TRIMMING = /^(?:head|tail|cat|less|more)(?: (?:[-+]?\d{1,9}|-[nc]\d{0,9}|--lines=\d{1,9}|-[A-EG-Z]))*$/;
const DIVERTING = /\0>\d*&?>/;
/** What may follow `||` without making the command another one. */
const FORGIVING = /^(?:true|:|exit)$/;

/** Adds to the draft what a script is about and what it does. `depth` counts the scripts around it. */
function readScript(draft: Draft, text: string, depth = 0): void {
  const { commands, substitutions, isFaulty } = tokenize(text);
  const { isEmitting } = draft;
  draft.isFaulty ||= isFaulty || depth > MAX_SCRIPTS;
  if (depth > MAX_SCRIPTS) return;
  addCommands(draft, commands, depth);
  // The text of a substitution is already in the substance; its effect is not.
  draft.isEmitting = false;
  for (const inner of substitutions) {
    draft.isDiverted = true;
    draft.separator = "";
    addCommands(draft, inner, depth);
  }
  draft.isEmitting = isEmitting;
}

function addCommands(draft: Draft, commands: readonly Command[], depth: number): void {
  for (let first = 0, last = 0; first < commands.length; first = ++last) {
    while (commands[last]!.operator === "|" && last < commands.length - 1) last++;
    let end = last;
    const least = draft.separator === PIPE ? first : first + 1;
    while (end >= least && TRIMMING.test(commands[end]!.words.join(" ") + commands[end]!.redirections)) end--;
    if (draft.separator === "\0||" && FORGIVING.test(commands[first]!.words[0] ?? "")) end = -1;
    for (let index = first; index <= end; index++) {
      if (index > first) draft.separator = PIPE;
      addCommand(draft, commands[index]!, depth);
    }
    const { operator } = commands[last]!;
    if (operator === "&") draft.isStarting = true;
    draft.separator = /^(?:&&|\|\|?| )$/.test(operator) ? `\0${operator}` : "\0;";
    // Brackets around the whole command make no difference.
    if (draft.isEmitting && draft.substance !== "" && /^[&(]$/.test(operator)) draft.substance += `\0${operator}`;
  }
}

function addCommand(draft: Draft, command: Command, depth: number): void {
  const { words, operator } = command;
  const [first = ""] = words;
  if (first === "cd" && draft.substance === "" && draft.isEmitting) {
    const [, directory = "~"] = words;
    const isKnown = draft.directory !== undefined && !directory.includes("\0") && !directory.startsWith("-");
    draft.directory = isKnown ? joinPath(draft.directory!, directory) : undefined;
    return;
  }
  if (STRUCTURE.test(first) || operator === "(" || operator === "case") {
    if (first !== "!" && (first !== "" || draft.substance !== "")) draft.isCompound = true;
    emit(draft, words);
  } else if (words.length > 0 || command.redirections !== "") {
    const script = readProgram(draft, command);
    if (script !== undefined) readScript(draft, script, depth + 1);
  }
  if (DIVERTING.test(command.redirections)) draft.isDiverted = true;
  if (WRITING.test(command.redirections)) draft.effect = Rank.change;
  if (draft.isEmitting) draft.substance += command.redirections + command.documents;
}
