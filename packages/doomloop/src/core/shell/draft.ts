/** What has been read of a command so far. */
export type Draft = ReturnType<typeof createDraft>;

export const PIPE = "\0|";

export function createDraft() {
  return {
    substance: "",
    /** Goes before the next piece of substance. */
    separator: "",
    /** Off inside substitutions, whose text is in the substance already. */
    isEmitting: true,
    /** Where leading `cd`s lead, "" for where the shell is, undefined if only the shell knows. */
    directory: "" as string | undefined,
    file: undefined as string | undefined,
    effect: 0,
    waitMs: 0,
    /** Commands that stand for themselves, not behind a pipe. */
    pipelines: 0,
    /** Is the output sent on into a filter or a file, or the input a text of its own? */
    isDiverted: false,
    isCompound: false,
    isOutside: false,
    isStarting: false,
    isMeasuring: false,
    isTest: false,
    isFileOperation: false,
    isFaulty: false,
  };
}

/** Adds words to the substance, behind the separator that is due. */
export function emit(draft: Draft, words: readonly string[], from = 0): void {
  for (let index = from; index < words.length; index++) {
    if (draft.isEmitting) draft.substance += draft.substance === "" ? words[index]! : draft.separator + words[index]!;
    draft.separator = "\0 ";
  }
}
