import type { LoopSummary } from "../../../doomloop/src/scan/report/report.ts";
import { includes, joined, type Span, sizeOf } from "../../../doomloop/src/scan/report/spans.ts";

/** The calls of a loop. Reports of earlier versions name only its first and its last call. */
export function callsOf({ calls, onset, end }: LoopSummary): readonly Span[] {
  return calls ?? [[onset, end]];
}

export function isInLoop(call: number, loop: LoopSummary): boolean {
  return includes(callsOf(loop), call);
}

/** How many calls belong to at least one loop. Calls that lie between the calls of a loop do not. */
export function callsInLoops(loops: readonly LoopSummary[]): number {
  return sizeOf(joined(loops.flatMap(callsOf)));
}
