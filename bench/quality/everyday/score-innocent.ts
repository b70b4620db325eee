import type { Action } from "../../../packages/doomloop/src/core/decision.ts";
import type {} from "../../../packages/doomloop/src/index.ts";

export interface InnocentScore {
  readonly isSpokenTo: boolean;
  /** A call was refused. */
  readonly isBlocked: boolean;
  readonly isStopped: boolean;
  /** Answered harder than with a nudge. */
  readonly isTooHard: boolean;
}

/** Scores an innocent everyday run by what was said in it. */
export function scoreInnocent(words: readonly { readonly action: Action }[]): InnocentScore {
  const isBlocked = words.some(({ action }) => action === "block");
  const isStopped = words.some(({ action }) => action === "stop" || action === "restart");
  return { isSpokenTo: words.length > 0, isBlocked, isStopped, isTooHard: isBlocked || isStopped };
}
