/** How alike outcomes are: equal, equal once what is volatile is masked, or not looked at. */
export type OutcomeLikeness = "exact" | "masked" | "blind";

/**
 * Why a repeat adds no evidence.
 *
 * `new-outcome`: the call never returned this before · `changed-world`: something was changed in between · `user-spoke` ·
 * `news-in-lap`: the calls in between bring something new · `waiting`: it comes after a pause, or asks for time · `asked-for`: the request
 * asks for this many calls · `same-round`: made in parallel with an identical call · `compaction`: the first look after the conversation
 * was compacted.
 */
export type Reason =
  | "new-outcome"
  | "changed-world"
  | "user-spoke"
  | "news-in-lap"
  | "waiting"
  | "asked-for"
  | "same-round"
  | "compaction";

/** What every finding tells, whatever its kind. */
export interface FindingFacts {
  /** Which loop this is: 32 hexadecimal digits, the same for every rotation of a cycle, in every run. */
  readonly loop: string;
  /** Call indices (0-based) of steps that show it, oldest first; not always all of them. */
  readonly steps: readonly number[];
  /** How often the counted thing happened. */
  readonly count: number;
  /** How much speaks for a loop, in plain repeats: the first call counts 1, and so does the same call with the same telling result. */
  readonly weight: number;
  /** How surely this is a loop, 0 to 1: of findings at 0.9, about nine in ten were right on recorded runs. */
  readonly confidence: number;
  /** Tools involved, at most 8. Written by someone else: escape before showing. */
  readonly tools: readonly string[];
}

/** The same call again, with nothing learned or changed in between. */
export interface RepeatedCallFinding extends FindingFacts {
  readonly kind: "repeated-call";
  readonly evidence: {
    readonly outcome: OutcomeLikeness;
    /** The calls were equal in substance, not exactly. */
    readonly isFuzzy: boolean;
    /** The calls wait or poll, and their patience is used up. */
    readonly isWaiting: boolean;
    readonly isFailing: boolean;
    /** The call says or writes something, and has done so each time. */
    readonly isDone?: true;
    /** The call acts, and its result does not show its effect: a click, a key, a command that says "ok". */
    readonly isStep?: true;
    /** The call fails because of a lock or a rate limit, which passes with time. */
    readonly isBusy: boolean;
  };
}

/** The same few calls in turn. */
export interface CallCycleFinding extends FindingFacts {
  readonly kind: "call-cycle";
  /** Steps in one lap. */
  readonly period: number;
  readonly evidence: {
    readonly outcome: OutcomeLikeness;
    readonly isWaiting: boolean;
    /** Tools of one lap in order, as far as they are remembered. Foreign, as `tools` are. */
    readonly sequence: readonly string[];
  };
}

/** Calls that differ in a few words and come to the same. */
interface SimilarCallFinding extends FindingFacts {
  readonly kind: "similar-call";
  readonly evidence: { readonly outcome: OutcomeLikeness; readonly isFailing: boolean };
}

/** Different calls with one outcome. */
interface SameOutcomeFinding extends FindingFacts {
  readonly kind: "same-outcome";
  readonly evidence: { readonly isFailing: boolean };
}

/** Attempts at one thing that bring nothing new. */
interface StalledFinding extends FindingFacts {
  readonly kind: "stalled";
  /** The attempts found nothing at all. If false, they found only what had been seen before. */
  readonly evidence: { readonly isEmpty: boolean };
}

/** One check that fails as before in spite of changes. */
export interface TestFixFinding extends FindingFacts {
  readonly kind: "test-fix";
  /** How many tests fail, where the runner says. */
  readonly evidence: { readonly failing?: number | undefined };
}

/** One tool that fails again and again. */
export interface FailureStreakFinding extends FindingFacts {
  readonly kind: "failure-streak";
  /** Most of the failing commands work on files, which the agent's file tools do better. */
  readonly evidence: { readonly isFileWork: boolean };
}

/** The same words over and over inside one answer or thought. */
export interface RepeatedTextFinding extends FindingFacts {
  readonly kind: "repeated-text";
  /** Characters in one repetition. */
  readonly period: number;
  readonly evidence: { readonly stream: "text" | "reasoning" };
}

/** Answers without a call, one after another. */
export interface TextOnlyFinding extends FindingFacts {
  readonly kind: "text-only";
  /** The answers say the same thing. */
  readonly evidence: { readonly isRepeating: boolean };
}

/** A dead end of the fleet. By itself it never leads to more than a nudge. */
export interface FleetFinding extends FindingFacts {
  readonly kind: "fleet";
  /** `counted`: what `workers` is the number of. A store counts processes, because one process can have any number of workers. */
  readonly evidence: {
    readonly workers: number;
    readonly counted?: "processes";
    readonly windowMs: number;
  };
}

/** A second opinion says that the agent is stuck, and no rule has found why. By itself it never leads to more than a nudge. */
export interface OpinionFinding extends FindingFacts {
  readonly kind: "opinion";
  /** The first call (0-based) that was made in vain. */
  readonly evidence: { readonly since: number };
}

/** What was seen in one run: facts, no words. */
export type RunFinding =
  | RepeatedCallFinding
  | CallCycleFinding
  | SimilarCallFinding
  | SameOutcomeFinding
  | StalledFinding
  | TestFixFinding
  | FailureStreakFinding
  | RepeatedTextFinding
  | TextOnlyFinding;

/** What was seen: facts, no words. A closed union over `kind`. */
export type Finding = RunFinding | FleetFinding | OpinionFinding;
/** The kinds of finding: one for each kind of topic, the fleet's, and a second opinion's. */
export type FindingKind = Finding["kind"];
/** The kinds that are seen in one run, and that can be switched off. */
export type DetectorKind = RunFinding["kind"];

/** All kinds of one run, the most telling first. */
export const DETECTOR_KINDS = [
  "call-cycle",
  "repeated-call",
  "similar-call",
  "same-outcome",
  "stalled",
  "test-fix",
  "failure-streak",
  "repeated-text",
  "text-only",
] as const satisfies readonly DetectorKind[];
