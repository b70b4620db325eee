import type { RunState } from "../memory/run-state.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Step } from "../step.ts";
import { wouldCount } from "./judge-repeat.ts";
import { momentOf, type Rules } from "./moment.ts";
import { hasOthers, latestOf } from "./occurrences.ts";
import { waitsBefore } from "./waiting.ts";

/** What a call that was just made can come to: something, nothing as it seems, or nothing beyond doubt. */
export type Prospect = "open" | "barren" | "proven";

/** Looks ahead: a call is barren if it can only repeat what it did before, nothing has happened since, and it does not wait. */
export function prospectOf(state: RunState, step: Step, rules: Rules): Prospect {
  const moment = momentOf(state, step, rules);
  const { like } = factsOf(step);
  const outcomes = state.byCall.get(step.call) ?? [];
  const alike = (like !== undefined && state.byLike.get(like)) || [];
  if (![...outcomes, ...alike].some((known) => wouldCount(known, moment))) return "open";
  if (waitsBefore(step, state.lentMs, rules.rule)) return "open";
  const latest = latestOf(outcomes);
  // A call that fails in another way each time is on its way.
  if (latest?.proves !== true || hasOthers(outcomes, latest, moment) || !wouldCount(latest, moment)) return "barren";
  // A failure fails again; an answer must have come back once to be known to stay.
  const isKnownToStay = latest.isFailing || (latest.strength === "exact" && latest.count >= 2);
  return isKnownToStay ? "proven" : "barren";
}
