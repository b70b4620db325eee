import { readWords, type Words } from "../reading/text.ts";
import type { Effect } from "../step.ts";
import { COUNTED, FAILS, FINAL, OVER, PENDING, TRANSIENT } from "./words.ts";

/** Whether a short answer says that something is still going on. */
export function saysItGoesOn(text: string): boolean {
  return text.length <= SHORT_ANSWER && (readWords(text, []).flags & PENDING) !== 0;
}

/** Longer results come from calls that ran. */
const MAX_CANCELLATION = 300;
/** Coding agents, of calls that somebody or another call's failure stopped: five of their command lines say it so. */
const DID_NOT_RUN =
  /\bsibling tool call\b|\btool (?:call|use|execution)s? (?:was |were |has been )?(?:cancell?ed|aborted|skipped|interrupted|not executed)|^\W{0,3}(?:error: )?(?:<[a-z_]{1,20}>)?(?:cancell?ed|aborted|interrupted|not executed|skipped)(?:\W{0,3}$|[\])]| (?:by|because|due|before)\b)|\bcall never started\b|\b(?:request|operation) (?:was )?(?:aborted|interrupted|cancell?ed)\b/i;
/** A call that timed out did run. */
const TIMED_OUT = /\b(?:aborted|interrupted|cancell?ed) (?:due to|because of|after) (?:an? |the )?time-?out\b/i;

/** Whether a failing result says that the call never ran: another call of the round failed first, or somebody pressed stop. */
export function didNotRun(text: string): boolean {
  return text.length <= MAX_CANCELLATION && DID_NOT_RUN.test(text) && !TIMED_OUT.test(text);
}

/** jest, vitest, mocha, pytest, unittest, ctest */
const FAILING_TESTS =
  /\b(\d{1,6}) (?:failed|failing|failures?|errors?)\b|\bfailures=(\d{1,6})\b|\bFailed:\s{0,3}(\d{1,6})\b/gi;

/** How many tests fail according to a test runner's last words, the most that it says of suites and tests; undefined if it does not. */
export function failingTests(output: string): number | undefined {
  const counts = [...output.slice(-600).matchAll(FAILING_TESTS)].map((match) =>
    Number(match[1] ?? match[2] ?? match[3]),
  );
  return counts.length === 0 ? undefined : Math.max(...counts);
}

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
