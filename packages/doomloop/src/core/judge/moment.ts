import type { KnownOutcome, Sighting } from "../memory/known-outcome.ts";
import type { RunState } from "../memory/run-state.ts";
import { hasChangedSince } from "../memory/world.ts";
import type { Outcome } from "../outcome/read-outcome.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { ResolvedProgress } from "../progress/progress-options.ts";
import type { Step } from "../step.ts";
import type { ToolRule } from "../tool-rule.ts";

/** By what steps are judged: the run's options, and the rule of the step's tool. */
export interface Rules {
  readonly progress: ResolvedProgress;
  readonly rule: ToolRule;
}

/** A step in its run, as it is judged. */
export interface Moment {
  readonly state: RunState;
  readonly step: Step;
  readonly rules: Rules;
  /** Undefined where none was seen or looked at. */
  readonly outcome: Outcome | undefined;
  readonly isFailing: boolean;
  /** Length of the outcome; undefined where none was looked at. */
  readonly length: number | undefined;
  /** Laps in a row with news after which counting begins anew. */
  readonly workingLaps: number;
}

/** Laps in a row that bring news: one is a digression, two are a way of working. */
const WORKING_LAPS = 2;

export function momentOf(state: RunState, step: Step, rules: Rules, outcome?: Outcome): Moment {
  const isFailing = outcome?.failure !== undefined;
  return { state, step, rules, outcome, isFailing, length: outcome?.length, workingLaps: WORKING_LAPS };
}

export function sightingOf({ state, step, isFailing, length = 0 }: Moment): Sighting {
  const { turn, compaction } = state;
  return { index: step.index, round: step.round, turn, compaction, isFailing, length, at: step.at };
}

/** Whether an outcome is known in this state of the world: seen since the last change and since the user spoke. */
export function isKnownNow(known: KnownOutcome, { state, step }: Moment): boolean {
  // A command is no delegation: it is not read to find that out.
  const isDelegation = !step.facts.isCommand && factsOf(step).effect.kind === "delegate";
  return known.turn === state.turn && !hasChangedSince(state.world, known.index, isDelegation);
}
