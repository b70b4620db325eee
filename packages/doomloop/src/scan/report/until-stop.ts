import type { LoopSummary } from "./report.ts";

/** The call at which the guard would first have stopped a run, given all its loops. Undefined if it would not have. */
export function stoppedAt(loops: readonly Pick<LoopSummary, "decisions">[]): number | undefined {
  let first: number | undefined;
  for (const { decisions } of loops) {
    for (const { call, action } of decisions) {
      if (action === "stop" && (first === undefined || call < first)) first = call;
    }
  }
  return first;
}

/**
 * Keeps the guard's decisions only up to its first stop. Expects all loops of one run, and of no other.
 *
 * A recorded run goes on after the stop, and the scan records further decisions. With the guard, the later calls would
 * not have happened, so a loop that appears only after the stop keeps no decisions.
 */
export function decisionsUntilStop<Loop extends Pick<LoopSummary, "decisions">>(
  loops: readonly Loop[],
): readonly Loop[] {
  const stop = stoppedAt(loops);
  if (stop === undefined) return loops;
  return loops.map((loop) => ({ ...loop, decisions: loop.decisions.filter(({ call }) => call <= stop) }));
}
