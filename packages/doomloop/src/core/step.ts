/**
 * What a call does, as far as anybody can tell.
 *
 * `look`: at what only this run changes · `watch`: at what others may change, too · `act`: does something · `move`: on a page or a screen,
 * where it may miss · `write`: leaves behind what it brings · `say`: to somebody, or to itself · `test`: to see how it comes out · `wait`.
 */
export type Effect = "look" | "watch" | "act" | "move" | "write" | "say" | "test" | "wait";

/**
 * What came of a call. `failed` · `no`: a short answer that several calls of a tool have got, which otherwise says more · `empty`: there is
 * nothing · `unseen`: the run shows no results · `pending`: it is still going on · `over`: it will not change any more · `done`: it only confirms · `content`: all else.
 */
export type Outcome = "failed" | "no" | "empty" | "unseen" | "pending" | "over" | "done" | "content";

/** How a call failed: hashes, no words. */
export interface Failure {
  /** Equal for failures of one kind, whatever paths, numbers, quoted names and arguments they mention. */
  readonly kind: number;
  /** Equal for failures that differ only in what is volatile. */
  readonly line: number;
  /** It may pass by itself, or others may heal it. */
  readonly isTransient: boolean;
  /** It stays, however often it is tried. */
  readonly isFinal: boolean;
  /** It names its tool, which has never worked: there may be no such tool. */
  readonly isOfTool: boolean;
  /** A flag or an exit code says that it failed, not only its words. */
  readonly isTold: boolean;
}

/** A call before it runs: plain data, hashes instead of words. Made once, never changed. */
export interface Call {
  /** Index of the call, from 0. */
  readonly index: number;
  /** Calls of one model answer share a round. */
  readonly round: number;
  readonly tool: string;
  /** Equal for calls that ask for the same in the same way. */
  readonly call: number;
  /** Equal for calls that ask for the same in any way: `cat f` and a read of `f`. 0: not known. */
  readonly subject: number;
  /** Equal for calls of a lap that differ only in numbers, and in names that this lap has made. */
  readonly turn: number;
  /** Hashes of the words in the arguments, and of all that is neither a word nor a number. */
  readonly words: readonly number[];
  readonly shape: number;
  readonly isNewCall: boolean;
  /** Neither the user nor an earlier result has named what it asks for. */
  readonly isMadeUp: boolean;
  /** How long it waits, or comes after a wait; 0: it doesn't. */
  readonly waitedMs: number;
  /** How long the host lets this tool poll. */
  readonly patienceMs: number;
  /** What the user orders: so many calls like this one, and how much of a repeat is left, 1/2 to 1. */
  readonly times: number;
  readonly trust: number;
  readonly effect: Effect;
  /** It finishes, hands over or asks a person. */
  readonly isWayOut: boolean;
}

/** A call with its result. */
export interface Step extends Call {
  /** A hash of the result, without what is volatile. */
  readonly result: number;
  /** The same without numbers, and without what its call said already. */
  readonly form: number;
  readonly length: number;
  readonly outcome: Outcome;
  readonly failure: Failure | undefined;
  /** What it brought the run: something new, a possible change, or neither. */
  readonly progress: "news" | "change" | "none";
}

/** Whether a call came to a failure or a no. */
export function isVain({ outcome }: Step): boolean {
  return outcome === "failed" || outcome === "no";
}

/** Whether a call does something that only another look shows. */
export function isAct({ effect }: Pick<Call, "effect">): boolean {
  return effect === "act" || effect === "move" || effect === "wait";
}

/** Whether a step is one of a run's own looks, writes and tests: nobody else changes what they come to. */
export function isOwn({ effect }: Pick<Call, "effect">): boolean {
  return effect === "look" || effect === "write" || effect === "test";
}
