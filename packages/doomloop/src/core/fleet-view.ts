import type { FleetFinding } from "./finding.ts";
import type { GuardMemory } from "./guard-memory.ts";
import type { Judged } from "./judged.ts";
import type { ToolRule } from "./policy/tool-rules.ts";
import type { FleetIdentity } from "./reading/run-memory.ts";

/**
 * How far guards may act in a fleet. `shadow`: they only report what they see · `off`: they report nothing either. A
 * guard that was switched off for a time begins again with its mildest answer.
 */
export type FleetMode = "on" | "shadow" | "off";

/** A run's view of its fleet: all that core knows of one. It answers at once and never throws. */
export interface FleetView {
  /** Whose world a call is about, which is kept with its step. */
  scopeOf(tool: string, args: unknown, rule: ToolRule): FleetIdentity["scope"];
  /** Reports a step to the fleet; `life` tells the runs of one guard apart. */
  report(judged: Judged, life: number, rule: ToolRule): void;
  /** What the fleet knows of a call that is about to be made, if the agent was not told yet. Notes that it is told now. */
  findingFor(
    judged: Judged,
    memory: Pick<GuardMemory, "allowed" | "announced">,
    isShadow: boolean,
  ): FleetFinding | undefined;
  /** Whether the fleet as a whole is stuck on what this step did. */
  confirms(judged: Judged): boolean;
  mode(): FleetMode;
}

/** Makes the view of a run, if it is in a fleet. */
export type JoinFleet = (onFault: (fault: unknown) => void) => FleetView | undefined;
