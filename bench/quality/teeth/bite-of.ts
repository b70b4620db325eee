import type { ReplayedDecision } from "../../../packages/doomloop/src/scan/replay/replay-run.ts";
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

/** A call is to be refused by this repeat of the row, */
const REFUSED_BY = 12;
/** and it is to be spoken to by this one. */
const SPOKEN_BY = 8;
/** An everyday loop is to be refused, and ended, within so many calls after the first word was justified. */
const REFUSED_WITHIN = 16;
const ENDED_WITHIN = 40;

/** Whether a loop that goes on was refused and ended in time. */
export interface Bite {
  readonly isRefused: boolean;
  readonly isEnded: boolean;
}

/** The same for a row of equal calls with equal results; it is ended at all. */
export interface RowBite extends Bite {
  readonly isSpokenTo: boolean;
}

type Decisions = readonly Pick<ReplayedDecision, "call" | "action">[];

/** What was done before a word was justified is no merit. */
export function biteOf({ from }: Pick<LoopExpectation, "from">, decisions: Decisions): Bite {
  const within = (calls: number): Decisions => decisions.filter(({ call }) => call >= from && call <= from + calls);
  return { isRefused: within(REFUSED_WITHIN).some(isHard), isEnded: within(ENDED_WITHIN).some(isEnd) };
}

/** What was done about a row that begins with the call `first`. */
export function rowBiteOf(first: number, decisions: Decisions): RowBite {
  const by = (repeats: number): Decisions => decisions.filter(({ call }) => call >= first && call < first + repeats);
  return {
    isSpokenTo: by(SPOKEN_BY).length > 0,
    isRefused: by(REFUSED_BY).some(isHard),
    isEnded: decisions.some(isEnd),
  };
}

function isHard(decision: Pick<ReplayedDecision, "action">): boolean {
  return decision.action === "block" || isEnd(decision);
}
