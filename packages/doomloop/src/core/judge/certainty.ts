import type { KnownOutcome } from "../memory/known-outcome.ts";
import { tellsState } from "../outcome/answer-says.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Repeat } from "../step.ts";
import type { Moment } from "./moment.ts";

/** An act that answers at this length shows what came of it; shorter ones may be nothing but an acknowledgement. */
const TELLING = 200;
/** Without a clock, a look must answer at this length. */
const TELLING_LOOK = 100;
/** Up to this length, even a look may show nothing: `[image]`. */
const MUTE = 20;

/**
 * Whether an outcome would show it if anything had happened, so that having it again to the letter proves that nothing did. The step does
 * not wait.
 *
 * A failure does, and so does the answer of a call that only looks, or one that tells much. "ok" and silence of a call that acts prove
 * nothing. Neither does the state of something that may change by itself, and without a clock nobody knows whether that was waited for.
 * Whoever comes back after a pause keeps an eye on something, even if that is over: such a one can be told, and is not ended for it.
 * `isDirect`: the call follows itself, with nothing in between that a mute answer could hide.
 */
export function provesNothingHappened({ step, outcome }: Moment, isDirect: boolean): boolean {
  if (outcome === undefined || step.isSynthetic || step.isPaused) return false;
  const { failure, text, length } = outcome;
  const hasClock = step.at !== undefined && outcome.at !== undefined;
  if (failure !== undefined) return hasClock || !failure.isBusy;
  if (!hasClock && tellsState(text)) return false;
  // Whoever says the same at length, word for word, has nothing to add.
  if (step.isWordy || length >= TELLING) return true;
  const { kind, isFileRead } = factsOf(step).effect;
  if (kind !== "look" || (length <= MUTE && !isDirect)) return false;
  return step.facts.isCommand || isFileRead || length >= TELLING_LOOK || (hasClock && !step.isEmpty);
}

/** Only what came back to the letter proves anything; of a failure, times and ids may differ. */
export function isProof({ strength }: Repeat, { isFailing }: KnownOutcome): boolean {
  return strength === "exact" || (strength === "masked" && isFailing);
}
