import type { LoopSummary } from "./report.ts";
import { stoppedAt } from "./stopped-at.ts";

/**
 * The loops of one run with what the guard would have done up to its first stop, and that stop once.
 *
 * A recorded run goes on after it, and the scan notes what the guard says to each further call. With the guard there would have
 * been none: a loop that shows only after the stop keeps no decisions. Takes all loops of a run, and of no other.
 */
export function decisionsUntilStop<Loop extends Pick<LoopSummary, "decisions">>(
  loops: readonly Loop[],
): readonly Loop[] {
  const stop = stoppedAt(loops);
  if (stop === undefined) return loops;
  return loops.map((loop) => ({ ...loop, decisions: loop.decisions.filter(({ call }) => call <= stop) }));
}
