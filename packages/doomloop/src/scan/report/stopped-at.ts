import type { LoopSummary } from "./report.ts";

/** The call at which the guard would first have ended a run, given all loops of it; undefined where it would have let it go on. */
export function stoppedAt(loops: readonly Pick<LoopSummary, "decisions">[]): number | undefined {
  let first: number | undefined;
  for (const { decisions } of loops) {
    for (const { call, action } of decisions) {
      if (action === "stop" && (first === undefined || call < first)) first = call;
    }
  }
  return first;
}
