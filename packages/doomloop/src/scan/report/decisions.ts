import type { LoopSummary } from "./report.ts";
import { actionWords, callsInWords, decidedInWords } from "./words.ts";

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

/** Decisions in a row that say the same. */
export interface FoldedDecision {
  readonly action: string;
  readonly first: number;
  readonly last: number;
  readonly times: number;
}

/** Folds refusals in a row into one. Other decisions stay as they are: each tells the agent something. */
export function foldDecisions(decisions: LoopSummary["decisions"]): readonly FoldedDecision[] {
  const folded: FoldedDecision[] = [];
  for (const { action, call } of decisions) {
    const before = folded.at(-1);
    const isMore = action === "block" && before?.action === action;
    if (isMore) folded[folded.length - 1] = { ...before, last: call, times: before.times + 1 };
    else folded.push({ action, first: call, last: call, times: 1 });
  }
  return folded;
}

/** What the guard would have done: `would have refused calls 11 to 20`, `would have nudged at call 6`. */
export function foldedInWords(
  { action, first, last, times }: FoldedDecision,
  loop: Partial<Pick<LoopSummary, "calls">> = {},
): string {
  if (action !== "block") return `would have ${actionWords(action).done} ${decidedInWords(first, loop)}`;
  // The guard lets a call through now and then.
  const all = last - first + 1;
  if (times < all) return `would have refused ${times} of the ${all} calls from ${first} to ${last}`;
  return `would have refused ${callsInWords(first, last)}`;
}
