import type { OutcomeStrength } from "./finding.ts";
import type { FleetScope } from "./fleet-scope.ts";
import type { ArgumentWords } from "./identity/argument-words.ts";
import type { ArgumentText } from "./identity/call-identity.ts";
import type { Digest } from "./identity/digest.ts";
import type { KnownOutcome } from "./memory/known-outcome.ts";
import type { Failure } from "./outcome/read-failure.ts";
import type { CallFacts } from "./progress/call-facts.ts";
import type { Reason } from "./reason.ts";

/** A call with its outcome. One record, from the moment the call is made; plain data, and no raw text at rest. */
export interface Step {
  /** Index of the call in the run, from 0. */
  readonly index: number;
  readonly round: number;
  readonly tool: string;
  /** Exact identity of the call. */
  readonly call: Digest;
  /** The arguments can be compared. If not, the call equals no other. */
  readonly isComparable: boolean;
  /** No equal call was made before in this run, as far as the run remembers. */
  readonly isNewCall: boolean;
  readonly at: number | undefined;
  /** The call comes after a pause, measured against the run's own pace. */
  readonly isPaused: boolean;
  /** Its arguments say something at length: a message, a thought, a statement. */
  readonly isWordy: boolean;
  /** Its arguments say so much that an equal call does the same thing twice: a payment, an order, a setting. */
  readonly hasContent: boolean;
  /** Numbers in its arguments that may be times. */
  readonly numbers: readonly number[];
  /** What the call does. */
  readonly facts: CallFacts;
  /** Whose world the call is about; undefined if the run is in no fleet. */
  readonly scope: FleetScope | undefined;
  /** Its id, while its result is awaited. */
  id: string | undefined;
  /** The guard refused the call. */
  isRefused: boolean;
  /** What its arguments and its outcome say, as far as they can still be compared: ask `views.ts`. */
  arguments: KeptArguments | undefined;
  said: Said | undefined;
  /** Its outcome was looked at. */
  isSeen: boolean;
  /** Identity of the outcome. An outcome that is the same in substance as an earlier one has the identity of that one. */
  outcome: Digest;
  /** Length of the outcome. */
  length: number;
  failure: Failure | undefined;
  isEmpty: boolean;
  isTelling: boolean;
  /** The outcome says that there is nothing: empty, an empty list, no matches. */
  isNothing: boolean;
  /** The outcome says no more than that something was done. */
  isMute: boolean;
  /** The outcome is a stand-in, because the call was refused. */
  isSynthetic: boolean;
  /** How many pieces of its outcome say something, and how many of those were new to the run. */
  pieces: number;
  fresh: number;
  /** It took as long as it was told to. */
  hasSlept: boolean;
  /** Its call had not come back with this before. */
  isNews: boolean;
  /** The step counts neither for nor against anything: it waits, or may. */
  isExcused: boolean;
}

/** A call's arguments: their beginning at first, and hashes of their words once those were needed. */
interface KeptArguments {
  text: ArgumentText | undefined;
  words: ArgumentWords;
}

/** What an outcome says: an excerpt at first, and hashes once those were needed. */
export interface Said {
  text: string | undefined;
  digest: Digest;
  segments: readonly number[];
  readonly isWhole: boolean;
  /** How it begins and ends; undefined until that was needed. */
  beginning: number | undefined;
  ending: number | undefined;
}

/** How often a step came back without progress in between. */
export interface Repeat {
  /** The outcome as the run knew it before this step; undefined if it is new. */
  readonly known: KnownOutcome | undefined;
  /** Rounds with a barren occurrence, the first included: 1 for a step that is no repeat. */
  readonly count: number;
  /** Call indices of the latest of them, oldest first. */
  readonly indices: readonly number[];
  /** The weakest likeness among them. */
  readonly strength: OutcomeStrength;
  /** Why the latest of them does not count; undefined if it does. */
  readonly reason: Reason | undefined;
  /** Counting starts again with the latest. */
  readonly beginsAnew: boolean;
  /** Earlier ones that did not count, and why, the latest last. */
  readonly passed: readonly PassedOver[];
}

/** An occurrence that did not count. */
export interface PassedOver {
  readonly step: number;
  readonly reason: Reason;
}

/** A step, and what the run's memory says about it. */
export interface JudgedStep {
  readonly step: Step;
  /** Whether outcomes are missing: `known` if the host says so, `inferred` if none has come so far. */
  readonly blindness: "none" | "known" | "inferred";
  /** The run has not seen this call with this outcome in this state of the world. */
  readonly isNew: boolean;
  /** The step counts neither for nor against anything: it waits and has patience left, or looks again after a compaction. */
  readonly isExcused: boolean;
  /** The step asks for time. */
  readonly isWaiting: boolean;
  /** What it waits to see change. */
  readonly checked: KnownOutcome | undefined;
  /** An equal step of the same round came before it. */
  readonly isSameRoundDuplicate: boolean;
  /** The outcome came back exactly, and would show it if anything had happened. */
  readonly isProof: boolean;
  /** How much the outcome tells, in characters; a large number if it would show anything that happened. */
  readonly tells: number;
  /** The words of the outcome. Foreign: for comparison only. */
  readonly text: string;
  readonly exact: Repeat;
  /** The same for calls that are equal in substance, under the identity that they share. */
  readonly fuzzy: (Repeat & { readonly like: Digest }) | undefined;
  /** Barren repeats that make a finding for this tool, where its rule says so. */
  readonly threshold: number | undefined;
  /** What the events brought, for detectors of the host's own. Never kept. */
  readonly raw?: { readonly args: unknown; readonly output: unknown };
}
