import { latestOf } from "../memory/known-outcome.ts";
import type { RunState } from "../memory/run-state.ts";
import type { Step } from "../step.ts";
import { isKnownNow, type Rules } from "./moment.ts";
import { waitsBefore } from "./waiting.ts";

/** What a call that was just made can come to: something, nothing as it seems, or nothing beyond doubt. */
export type Prospect = "open" | "barren" | "proven";

/** Looks ahead at a call whose loop has shown. */
export function prospectOf(state: RunState, step: Step, rules: Rules): Prospect {
  const moment = { state, step, rules, outcome: undefined, isBatch: false };
  const outcomes = state.byCall.get(step.call) ?? [];
  const latest = latestOf(outcomes);
  // What came before a change, or before the user spoke, says nothing of what comes now.
  if (latest !== undefined && !isKnownNow(latest, moment)) return "open";
  // What was forgotten may be looked at, and what waits may wait.
  if (latest?.compaction !== undefined && latest.compaction !== state.compaction) return "open";
  if (waitsBefore(step, state.lentMs, rules.rule)) return "open";
  // A call that comes to something else at times is on its way.
  const hasOthers = outcomes.some((other) => other !== latest && isKnownNow(other, moment));
  return latest?.proves === true && !hasOthers ? "proven" : "barren";
}
