import { actsOf } from "../../bench/quality/acts.ts";
import { type JudgedRun, OURS } from "../../bench/quality/judged-run.ts";
import type { Action } from "../../packages/doomloop/src/core/decision.ts";
import type {} from "../../packages/doomloop/src/index.ts";

interface Judged extends Partial<JudgedRun> {
  /** What our guard did, at the first call and those after it. */
  readonly actions?: readonly Action[];
  /** Where a rule spoke. */
  readonly rule?: readonly number[];
}

/** A run as the bench keeps it, without replaying anything. */
export function judgedRun({ actions = [], rule, ...more }: Judged = {}): JudgedRun {
  const decisions = actions.map((action, call) => ({ call, action, kind: "repeated-call" as const }));
  return {
    run: "run",
    task: undefined,
    isSuccess: false,
    calls: 20,
    hasResults: true,
    spokeAt: { [OURS]: decisions.map(({ call }) => call), ...(rule === undefined ? {} : { rule }) },
    decisions,
    ...actsOf(decisions),
    badEvents: 0,
    faults: 0,
    ...more,
  };
}
