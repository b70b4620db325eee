import type { KnownOutcome } from "../memory/known-outcome.ts";
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
  /** Results were not seen yet, and may be those of a batch: whatever lies between makes a repeat innocent. */
  readonly isBatch: boolean;
}

/** Whether an outcome is known in this state of the world: seen since the last change and since the user spoke. */
export function isKnownNow(known: KnownOutcome, { state, step }: Moment): boolean {
  // A command asks nobody: it is not read to find that out.
  const act = step.facts.isCommand ? undefined : factsOf(step).reading.act;
  return known.turn === state.turn && !hasChangedSince(state.world, known.index, act);
}
