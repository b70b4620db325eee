import type { ReplayedDecision } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import { isEnd } from "./host-run.ts";

/** What our guard did in a run, beyond words. */
export interface Acts {
  /** A call was refused, or the run ended. */
  readonly isBlocked: boolean;
  readonly isStopped: boolean;
}

export function actsOf(decisions: readonly Pick<ReplayedDecision, "action">[]): Acts {
  const isStopped = decisions.some(isEnd);
  return { isBlocked: isStopped || decisions.some(({ action }) => action === "block"), isStopped };
}
