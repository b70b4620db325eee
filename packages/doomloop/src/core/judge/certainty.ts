import { isEmptyOutcome, type Outcome } from "../identity/outcome.ts";
import type { OpenCall } from "../memory/open-calls.ts";
import { tellsState } from "./answer-says.ts";
import type { Waiting } from "./waiting.ts";

/** An act that answers at this length shows what came of it; shorter ones may be nothing but an acknowledgement. */
const TELLING = 200;
/** Without a clock, a look must answer at this length. */
const TELLING_LOOK = 100;
/** Up to this length, even a look may show nothing: `[image]`. */
const MUTE = 20;

/**
 * Whether an outcome would show it if anything had happened, so that having it again to the letter proves that nothing did.
 *
 * A failure does, and so does the answer of a call that only looks, or one that tells much. "ok" and silence of a call that acts prove
 * nothing. Neither does the state of something that may change by itself, and without a clock nobody knows whether that was waited for.
 * `isDirect`: the call follows itself, with nothing in between that a mute answer could hide.
 */
export function provesNothingHappened(
  open: OpenCall,
  outcome: Outcome | undefined,
  waiting: Waiting,
  isDirect: boolean,
): boolean {
  if (outcome === undefined || outcome.isSynthetic || waiting !== undefined) return false;
  const { failure, text, length } = outcome;
  const hasClock = open.at !== undefined && outcome.at !== undefined;
  if (failure !== undefined) return hasClock || !failure.isBusy;
  if (tellsState(text) && !hasClock) return false;
  // Whoever says the same at length, word for word, has nothing to add.
  if (open.isWordy || length >= TELLING) return true;
  if (open.facts.effect.kind !== "look" || (length <= MUTE && !isDirect)) return false;
  if (open.facts.isCommand || open.facts.effect.isFileRead) return true;
  return length >= TELLING_LOOK || (hasClock && !isEmptyOutcome(outcome));
}
