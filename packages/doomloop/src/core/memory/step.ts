import type { Reason } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import type { Failure } from "../outcome/read-failure.ts";
import type { Effect } from "../progress/read-command.ts";

/**
 * Whose world a call is about. `shared`: it is the same for all workers of a fleet · `own`: each worker, or each group of workers that
 * says so, has its own · `never`: the fleet hears nothing of it.
 */
export type FleetScope = "shared" | "own" | "never";

/** The same, as it is kept with a step. `address`: it names only what is shared, but it may fail because of the worker's own world. */
export type StepScope = FleetScope | "address";

/** A call with its outcome. One record, from the moment the call is made; plain data, hashes instead of words. */
export interface Step {
  /** Index of the call in the run, from 0. */
  readonly index: number;
  round: number;
  /** The tool's name, or a hash of it if it does not look like one. */
  readonly tool: string;
  /** Exact identity of the call. */
  readonly call: Digest;
  /** Identity without what does not make it another call: reasons, time limits, ids made for one call. */
  readonly key: Digest;
  /** Identity of what it is about: `cat f` and a read of `f` share it. */
  readonly substance: Digest | undefined;
  /** The arguments can be compared. If not, the call equals no other. */
  readonly isComparable: boolean;
  /** No equal call was made before in this run, as far as the run remembers. */
  readonly isNewCall: boolean;
  readonly at: number | undefined;
  /** The call comes after a pause, measured against the run's own pace. */
  readonly isPaused: boolean;
  /** Time since the call before. */
  readonly gapMs: number;
  readonly effect: Effect;
  readonly isCommand: boolean;
  readonly isFileRead: boolean;
  readonly isFileWork: boolean;
  /** It writes to a file that the run has not written to yet. */
  readonly isNewFile: boolean;
  readonly isWayOut: boolean;
  /** The call brings a text to write. */
  readonly brings: boolean;
  /** Milliseconds that it says it waits. */
  readonly waitMs: number;
  /** The words of its arguments. */
  readonly stems: readonly number[];
  /** A hash of each of its arguments, with its name. */
  readonly fields: readonly number[];
  /** The hash of the one with the most words: what is said, if it says something. */
  readonly saying: number;
  /** The numbers in its arguments, and a hash of all the rest. */
  readonly numbers: readonly number[];
  readonly shape: number;
  /** It consists of what the user has named: an item of a given list. */
  readonly isGiven: boolean;
  /** Whose world the call is about; undefined if the run is in no fleet. */
  readonly scope: StepScope | undefined;
  /** The host says that the tool polls, and how long it may. */
  readonly isPoll: boolean;
  readonly patienceMs: number;
  /** Its id, while its result is awaited. */
  id: string | undefined;
  /** The guard refused the call. */
  isRefused: boolean;
  /** Its outcome was looked at. */
  isSeen: boolean;
  /** Identity of the outcome, with what is volatile masked. */
  value: Digest;
  /** It says the same as the latest one of its call but for a few pieces. */
  isSoft: boolean;
  /** A hash of the outcome as it is, to tell equal ones from masked ones. */
  raw: number;
  length: number;
  failure: Failure | undefined;
  /** A short answer that several calls of this tool have got, which otherwise says more. */
  isNo: boolean;
  /** The outcome says that there is nothing: empty, an empty list, no matches. */
  isNothing: boolean;
  /** The outcome is a stand-in, because the call was refused. */
  isSynthetic: boolean;
  /** How many pieces of its outcome say something, and how many of those were new to the run. */
  pieces: number;
  fresh: number;
  /** No call of the run was answered like this before. */
  isFirst: boolean;
  tookMs: number;
  /** It told the run something new. */
  isNews: boolean;
  /** It may have changed something. */
  isChange: boolean;
  /** What it added to the evidence that its call is repeated, and why it added nothing. */
  added: number;
  reason: Reason | undefined;
  /** How often its call came to this without progress. */
  repeats: number;
  /** The step says nothing for or against a row of attempts: it waits, or was asked for. */
  isExcused: boolean;
}

/** Whether a step came to nothing: a failure, or a no. */
export function isFailing(step: Step): boolean {
  return step.failure !== undefined || step.isNo;
}
