import type { OutcomeStrength } from "./finding.ts";
import type { Digest } from "./identity/digest.ts";
import type { Failure } from "./identity/failure.ts";
import type { Reason } from "./judge/reason.ts";
import type { CallFacts } from "./memory/call-facts.ts";

/** How often a step came back without progress in between. */
export interface Repeat {
  /** Barren occurrences in rounds, the first included: 1 for a step that is no repeat. */
  readonly count: number;
  /** Call indices of the latest of them, oldest first. */
  readonly indices: readonly number[];
  /** The weakest likeness among them. */
  readonly strength: OutcomeStrength;
  /** Times in a row that the call came back with this and nothing else. */
  readonly inRow: number;
  /** Why the latest of them does not count; undefined if it does. */
  readonly reason: Reason | undefined;
}

/** A call with its outcome, and what the run's memory says about it. */
export interface Step {
  /** The how-manieth call of the run, from 0. */
  readonly index: number;
  readonly round: number;
  readonly tool: string;
  /** The call's arguments can be compared; otherwise it equals nothing. */
  readonly isComparable: boolean;
  /** The outcome is a stand-in: the call was refused. */
  readonly isSynthetic: boolean;
  /** Exact identity of the call. */
  readonly call: Digest;
  /** What the call does. Reading a command costs, so it is read when somebody asks. */
  readonly facts: CallFacts;
  /** Identity of the outcome: the first one that this one is the same as in substance. */
  readonly outcome: Digest;
  readonly failure: Failure | undefined;
  /** No outcome was seen or looked at. */
  readonly isBlind: boolean;
  /** That no outcome will come is inferred from none having come so far. */
  readonly isBlindByInference: boolean;
  readonly isEmpty: boolean;
  readonly isTelling: boolean;
  /** The outcome says that there is nothing: empty, an empty list, no matches. */
  readonly isNothing: boolean;
  /** The run has not seen this call with this outcome in this state of the world. */
  readonly isNew: boolean;
  /** The step asks for time and has patience left: it counts neither for nor against anything. */
  readonly isExcused: boolean;
  /** The step asks for time. */
  readonly isWaiting: boolean;
  /** An equal step of the same round came before it. */
  readonly isTwin: boolean;
  /** The call's arguments say something at length. */
  readonly isWordy: boolean;
  /** The outcome came back to the letter, and would show it if anything had happened. */
  readonly isProof: boolean;
  /** The call came back with something else, too. */
  readonly hasOthers: boolean;
  /** Barren repeats that make a finding for this tool, where its rule says so. */
  readonly threshold: number | undefined;
  readonly exact: Repeat;
  /** The same for calls that are equal in substance, under the identity that they share. */
  readonly fuzzy: (Repeat & { readonly like: Digest }) | undefined;
}
