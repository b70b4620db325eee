import type { SyntaxNode } from "unbash";
import { EffectRank } from "./effect-rank.ts";
import { Separator } from "./separator.ts";

/** What has been read of a command so far; every reader adds to it, so that one walk does for everything. */
export interface CommandDraft {
  substance: string;
  /** Goes before the next piece of substance. */
  separator: string;
  /** Off inside substitutions, whose text is in the substance already. */
  isEmitting: boolean;
  /** Where leading `cd`s lead, "" for where the shell is, undefined if only the shell knows. */
  directory: string | undefined;
  file: string | undefined;
  effect: EffectRank;
  waitMs: number;
  /** Commands that stand for themselves, not behind a pipe. */
  pipelines: number;
  /** Is the output sent on into a filter or a file, or the input a text of its own? */
  isDiverted: boolean;
  isCompound: boolean;
  isTest: boolean;
  isFileOperation: boolean;
  /** Is the text no shell command, or too much of one? */
  isFaulty: boolean;
  /** Nodes and separators still to read, the next one last. */
  stack: (SyntaxNode | string)[];
  /** Substitutions and scripts found in words, to be read after the rest for their effects. */
  substitutions: SyntaxNode[];
  /** Scripts parsed out of words so far, as in `bash -c '...'`. */
  inlineScripts: number;
}

export function createCommandDraft(): CommandDraft {
  return {
    substance: "",
    separator: Separator.word,
    isEmitting: true,
    directory: "",
    file: undefined,
    effect: EffectRank.none,
    waitMs: 0,
    pipelines: 0,
    isDiverted: false,
    isCompound: false,
    isTest: false,
    isFileOperation: false,
    isFaulty: false,
    stack: [],
    substitutions: [],
    inlineScripts: 0,
  };
}

/** Adds a word to the substance, behind the separator that is due. */
export function emit(draft: CommandDraft, text: string): void {
  if (draft.isEmitting) draft.substance = draft.substance === "" ? text : draft.substance + draft.separator + text;
  draft.separator = Separator.word;
}

/** Raises the effect; a weaker one never takes back a stronger one. */
export function raiseEffect(draft: CommandDraft, effect: EffectRank): void {
  if (effect > draft.effect) draft.effect = effect;
}
