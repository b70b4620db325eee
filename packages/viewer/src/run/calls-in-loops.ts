import type { LoopSummary } from "../../../doomloop/src/scan/report/report.ts";

/** How many calls lie in at least one loop. */
export function callsInLoops(loops: readonly LoopSummary[]): number {
  let calls = 0;
  let counted = 0;
  for (const { onset, end } of loops.toSorted((one, other) => one.onset - other.onset)) {
    calls += Math.max(0, end - Math.max(onset, counted + 1) + 1);
    counted = Math.max(counted, end);
  }
  return calls;
}
