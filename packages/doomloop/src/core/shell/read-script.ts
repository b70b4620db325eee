import { type Draft, emit, PIPE } from "./draft.ts";
import { joinPath } from "./join-path.ts";
import { Rank } from "./programs.ts";
import { readProgram, WRITING } from "./read-program.ts";
import { type Command, tokenize } from "./tokenize.ts";

const MAX_DEPTH = 3;
/** Words that hold several commands together. */
const STRUCTURE = /^(?:if|then|elif|else|fi|for|select|while|until|do|done|case|esac|\{|\}|function|coproc|!)$/;
/** A filter that only shortens what is shown. */
const TRIMMING = /^(?:head|tail|cat|less|more)(?: (?:[-+]?\d{1,9}|-[nc]\d{0,9}|--lines=\d{1,9}|-[A-EG-Z]))*$/;
const DIVERTING = /\0>\d*&?>/;
/** What may follow `||` without making the command another one. */
const FORGIVING = /^(?:true|:|exit)$/;

/** Adds to the draft what a script is about and does. `depth` counts the scripts around it, as in `bash -c '...'`. */
export function readScript(draft: Draft, text: string, depth = 0): void {
  const { commands, substitutions, isFaulty } = tokenize(text);
  const { isEmitting } = draft;
  draft.isFaulty ||= isFaulty || depth > MAX_DEPTH;
  if (depth > MAX_DEPTH) return;
  readCommands(draft, commands, depth);
  // The text of a substitution is in the substance already, what it does is not.
  draft.isEmitting = false;
  for (const inner of substitutions) {
    draft.isDiverted = true;
    draft.separator = "";
    readCommands(draft, inner, depth);
  }
  draft.isEmitting = isEmitting;
}

function readCommands(draft: Draft, commands: readonly Command[], depth: number): void {
  for (let first = 0, last = 0; first < commands.length; first = ++last) {
    while (commands[last]!.operator === "|" && last < commands.length - 1) last++;
    let end = last;
    const least = draft.separator === PIPE ? first : first + 1;
    while (end >= least && TRIMMING.test(commands[end]!.words.join(" ") + commands[end]!.redirections)) end--;
    if (draft.separator === "\0||" && FORGIVING.test(commands[first]!.words[0] ?? "")) end = -1;
    for (let index = first; index <= end; index++) {
      if (index > first) draft.separator = PIPE;
      readCommand(draft, commands[index]!, depth);
    }
    const { operator } = commands[last]!;
    if (operator === "&") draft.isStarting = true;
    draft.separator = /^(?:&&|\|\|?| )$/.test(operator) ? `\0${operator}` : "\0;";
    // Around a whole command the brackets say nothing.
    if (draft.isEmitting && draft.substance !== "" && /^[&(]$/.test(operator)) draft.substance += `\0${operator}`;
  }
}

function readCommand(draft: Draft, command: Command, depth: number): void {
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
