import type { ReplayedDecision } from "../../../packages/doomloop/src/cli/replay/replay-run.ts";
import type { LoopExpectation } from "../everyday/expectation.ts";
import { isEnd } from "../host-run.ts";

/** Classes of loops that nobody has to argue about: these are to be refused and ended, not only spoken to. */
export const TOOTH_CLASSES: ReadonlySet<string> = new Set([
  "exact",
  "alternation",
  "cycle",
  "retry-storm",
  "parallel-loop",
]);

/** A call is to be refused within as many calls after patience has ended, */
const REFUSED_WITHIN = 4;
/** and the run ended within as many. */
const ENDED_WITHIN = 8;

/** Whether a loop that goes on was refused and ended in time. */
export interface Bite {
  readonly isRefused: boolean;
  readonly isEnded: boolean;
}

/** What was done before a word was justified is no merit. */
export function biteOf(
  { from, by }: Pick<LoopExpectation, "from" | "by">,
  decisions: readonly Pick<ReplayedDecision, "call" | "action">[],
): Bite {
  const within = (calls: number): typeof decisions =>
    decisions.filter(({ call }) => call >= from && call <= by + calls);
  return {
    isRefused: within(REFUSED_WITHIN).some((each) => each.action === "block" || isEnd(each)),
    isEnded: within(ENDED_WITHIN).some(isEnd),
  };
}
