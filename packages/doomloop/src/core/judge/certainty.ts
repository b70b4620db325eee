import type { Outcome } from "../identity/outcome.ts";
import type { OpenCall } from "../memory/open-calls.ts";
import { tellsState } from "./answer-says.ts";
import type { Waiting } from "./waiting.ts";

/** Answers of this length tell enough that their return means something, whatever the tool. */
const TELLING = 100;

/**
 * Whether an outcome would show it if anything had happened, so that having it again to the letter proves that nothing did.
 *
 * A failure does, and so does the answer of a call that only looks, or one that tells much. "ok" and silence of a call that acts prove
 * nothing. Neither does the state of something that may change by itself, and without a clock nobody knows whether that was waited for.
 */
export function provesNothingHappened(open: OpenCall, outcome: Outcome | undefined, waiting: Waiting): boolean {
  if (outcome === undefined || outcome.isSynthetic || waiting !== undefined) return false;
  const { failure, text, length } = outcome;
  const hasClock = open.at !== undefined && outcome.at !== undefined;
  if (failure !== undefined) return hasClock || !failure.isBusy;
  if (tellsState(text) && !hasClock) return false;
  if (length >= TELLING) return true;
  // Whoever says the same at length, word for word, has nothing to add.
  if (open.isWordy) return true;
  if (open.facts.effect.kind !== "look") return false;
  return hasClock || open.facts.isCommand || open.facts.effect.isFileRead;
}
