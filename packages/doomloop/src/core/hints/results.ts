import type { Words } from "../reading/text.ts";
import type { Effect } from "../step.ts";
import { COUNTED, FAILS, FINAL, OVER, PENDING, TRANSIENT } from "./words.ts";

/** What the words of a result seem to say. */
export interface ResultHint {
  readonly isFailure: boolean;
  readonly isTransient: boolean;
  readonly isFinal: boolean;
  readonly isPending: boolean;
  readonly isOver: boolean;
  /** It only confirms what was done. */
  readonly isDone: boolean;
}

export const NO_RESULT_HINT: ResultHint = {
  isFailure: false,
  isTransient: false,
  isFinal: false,
  isPending: false,
  isOver: false,
  isDone: false,
};

/** Longer answers are about more than one thing's state. */
const SHORT_ANSWER = 400;
const CURT = 120;

/** Reads what a result seems to say. `isKnown`: the host says whether the call failed. */
export function readResult(words: Words, length: number, effect: Effect, hasLines: boolean): ResultHint {
  const { flags, firstFlags, lastFlags } = words;
  const isShort = length <= SHORT_ANSWER;
  const isCheck = effect === "test" || effect === "act";
  const told = isShort ? flags : firstFlags | (isCheck ? lastFlags : 0);
  // What several lines of a file say is the file's.
  const counted = effect === "test" ? COUNTED : 0;
  const isFailure = ((told | (counted & lastFlags)) & (FAILS | counted)) !== 0 && !(effect === "look" && hasLines);
  const about = isShort ? flags : lastFlags;
  const isPending = isShort && (flags & PENDING) !== 0;
  return {
    isFailure,
    isTransient: (about & TRANSIENT) !== 0,
    isFinal: (about & FINAL) !== 0,
    isPending,
    isDone: length <= CURT && !hasLines && words.isConfirming,
    isOver: isShort && !isPending && (flags & OVER) !== 0,
  };
}
