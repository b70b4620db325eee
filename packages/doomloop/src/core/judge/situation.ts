import type { KnownOutcome } from "../memory/known-outcome.ts";
import type { RunState } from "../memory/run-state.ts";
import { hasChangedSince } from "../memory/world.ts";
import type { Outcome } from "../outcome/read-outcome.ts";
import type { ResolvedProgress } from "../progress/progress-options.ts";
import type { JudgedStep, Step } from "../step.ts";
import type { ToolRule } from "../tool-rule.ts";

/** What steps are judged by: the run's options, and the rule of the step's tool. */
export interface Rules {
  readonly progress: ResolvedProgress;
  readonly rule: ToolRule;
}

/** A step in its run, as it is judged. Judging reads it; only `recordStep` changes what the run remembers. */
export interface Situation {
  readonly state: RunState;
  readonly step: Step;
  readonly rules: Rules;
  /** Undefined where outcomes are not seen or not compared. */
  readonly outcome: Outcome | undefined;
  readonly blindness: JudgedStep["blindness"];
}

/** Whether an outcome is known in this state of the world: seen since the last change and since the user spoke. */
export function isKnownNow(known: KnownOutcome, { state, step }: Situation): boolean {
  return known.turn === state.turn && !hasChangedSince(state.world, known.index, step.facts.reading.act);
}
