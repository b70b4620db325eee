import type { FleetFinding } from "./finding.ts";
import type { GuardMemory } from "./guard-memory.ts";
import type { Step, StepScope } from "./memory/step.ts";
import type { ToolRule } from "./policy/tool-rules.ts";
import type { CallReading } from "./progress/read-call.ts";

/**
 * How far guards may act in a fleet. `shadow`: they only report what they see · `off`: they report nothing either. A
 * guard that was switched off for a time begins again with its mildest answer.
 */
export type FleetMode = "on" | "shadow" | "off";

/** A run's view of its fleet: all that core knows of one. It answers at once and never throws. */
export interface FleetView {
  /** Whose world a call is about, which is kept with its step. */
  scopeOf(read: CallReading, rule: ToolRule, args: unknown): StepScope;
  /** Whether a failure of an address may be the same for everybody. */
  isRemote(text: string): boolean;
  /** Reports a step to the fleet; `life` tells the runs of one guard apart. */
  report(step: Step, life: number, rule: ToolRule): void;
  /** What the fleet knows of a call that is about to be made, if the agent was not told yet. Notes that it is told now. */
  findingFor(
    step: Step,
    memory: Pick<GuardMemory, "allowed" | "announced">,
    isShadow: boolean,
  ): FleetFinding | undefined;
  /** Whether the fleet as a whole is stuck on what this step did. */
  confirms(step: Step): boolean;
  mode(): FleetMode;
}

/** Makes the view of a run, if it is in a fleet. */
export type JoinFleet = (onFault: (fault: unknown) => void) => FleetView | undefined;
