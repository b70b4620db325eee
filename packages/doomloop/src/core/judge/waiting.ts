import type { Outcome } from "../identity/outcome.ts";
import { asksForTime, waitedMs } from "../progress/patience.ts";
import type { KnownOutcome } from "./known-outcome.ts";
import type { OpenCall } from "./open-calls.ts";

/**
 * Whether a step asks for time; adds what has passed in vain to the outcome that it had before.
 *
 * A call that only sleeps lends its time to the look that follows it.
 */
export function takeTime(
  counters: { lentMs: number },
  open: OpenCall,
  outcome: Outcome | undefined,
  isPoll: boolean,
  known: KnownOutcome | undefined,
): boolean {
  const isWaiting = asksForTime(open.tool, open.facts, known === undefined ? undefined : outcome, isPoll);
  const { lentMs } = counters;
  const isSleep = isWaiting && open.facts.effect.kind === "wait";
  counters.lentMs = isSleep ? lentMs + open.facts.effect.waitMs : 0;
  if (known === undefined || (!isWaiting && lentMs === 0)) return isWaiting;
  const askedMs = isWaiting ? waitedMs(open.facts.effect, open.at, known.at) : 0;
  known.waitedMs += Math.max(askedMs, isSleep ? 0 : lentMs);
  return true;
}
