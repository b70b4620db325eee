import type { OutcomeStrength } from "./finding.ts";
import type { ArgumentWords } from "./identity/argument-words.ts";
import type { ArgumentText } from "./identity/call-identity.ts";
import type { Digest } from "./identity/digest.ts";
import type { Failure } from "./outcome/read-failure.ts";
import type { LazyFacts } from "./progress/call-facts.ts";
import type { Reason } from "./reason.ts";

/** A call and what came of it: the one record of a step, from the moment it is made. Plain data, and no raw text at rest. */
export interface Step {
  /** The how-manieth call of the run, from 0. */
  readonly index: number;
  readonly round: number;
  readonly tool: string;
  /** Exact identity of the call. */
  readonly call: Digest;
  /** The arguments can be compared; otherwise the call equals nothing. */
  readonly isComparable: boolean;
  /** The call is the first of its kind in this run, as far as the run remembers. */
  readonly isNewCall: boolean;
  readonly at: number | undefined;
  /** The call comes after a pause, by the run's own pace. */
  readonly isPaused: boolean;
  /** Its arguments say something at length: a message, a thought, a statement. */
  readonly isWordy: boolean;
  /** Its arguments say so much that making it again means the same again: a payment, an order, a setting. */
  readonly hasContent: boolean;
  /** Numbers in its arguments that may be times. */
  readonly numbers: readonly number[];
  /** What the call does: ask `factsOf`. */
  readonly facts: LazyFacts;
  /** Its id, while its result is awaited. */
  id: string | undefined;
  /** We said that it is not to be run. */
  isRefused: boolean;
  /** What its arguments and its outcome say, as far as they can still be compared: ask `views.ts`. */
  arguments: KeptArguments | undefined;
  said: Said | undefined;
  /** Its outcome was looked at. */
  isSeen: boolean;
  /** Identity of the outcome: the first one that this one is the same as in substance. */
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
  /** The outcome is a stand-in: the call was refused. */
  isSynthetic: boolean;
  /** How many pieces its outcome has that say something, and how many of them were new to the run. */
  pieces: number;
  fresh: number;
  /** It took as long as it was told to. */
  hasSlept: boolean;
  /** Its call had not come back with this before. */
  isNews: boolean;
  /** It waits, or may, and counts neither for nor against anything. */
  isExcused: boolean;
}

/** A call's arguments: their beginning until somebody asks, hashes of their words from then on. */
interface KeptArguments {
  text: ArgumentText | undefined;
  words: ArgumentWords;
}

/** What an outcome says: an excerpt until somebody asks, hashes from then on. */
export interface Said {
  text: string | undefined;
  digest: Digest;
  segments: readonly number[];
  readonly isWhole: boolean;
  /** How it begins and ends; undefined until somebody asks. */
  beginning: number | undefined;
  ending: number | undefined;
}

/** How often a step came back without progress in between. */
export interface Repeat {
  /** Barren occurrences in rounds, the first included: 1 for a step that is no repeat. */
  readonly count: number;
  /** Call indices of the latest of them, oldest first. */
  readonly indices: readonly number[];
  /** The weakest likeness among them. */
  readonly strength: OutcomeStrength;
  /** Why the latest of them does not count; undefined if it does. */
  readonly reason: Reason | undefined;
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
  /** No outcome was seen or looked at; `inferred` from none having come so far. */
  readonly blindness: "none" | "known" | "inferred";
  /** The run has not seen this call with this outcome in this state of the world. */
  readonly isNew: boolean;
  /** The step counts neither for nor against anything: it waits and has patience left, or looks again after a compaction. */
  readonly isExcused: boolean;
  /** The step asks for time. */
  readonly isWaiting: boolean;
  /** An equal step of the same round came before it. */
  readonly isTwin: boolean;
  /** The outcome came back to the letter, and would show it if anything had happened. */
  readonly isProof: boolean;
  /** How much it tells of what came of it, in characters; without end if it would show anything that happened. */
  readonly tells: number;
  /** The words of the outcome: foreign, and for looking at only. */
  readonly text: string;
  readonly exact: Repeat;
  /** The same for calls that are equal in substance, under the identity that they share. */
  readonly fuzzy: (Repeat & { readonly like: Digest }) | undefined;
  /** Barren repeats that make a finding for this tool, where its rule says so. */
  readonly threshold: number | undefined;
  /** What the events brought, for detectors of the host's own. Never kept. */
  readonly raw?: { readonly args: unknown; readonly output: unknown };
}
