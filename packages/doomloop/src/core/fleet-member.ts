import type { Digest } from "./identity/digest.ts";

/** One step of one worker, as the fleet needs it: no arguments, no outcome. */
export interface FleetReport {
  /** Unique within the worker, so that a report delivered twice counts once. */
  readonly id: string;
  /** The call in substance, or exactly where that says no more. */
  readonly fingerprint: Digest;
  readonly tool: string;
  /** The step failed, or brought nothing new; undefined if nobody looked. */
  readonly isBarren: boolean | undefined;
}

/** What the fleet found about a fingerprint. */
export interface FleetVerdict {
  readonly calls: number;
  readonly workers: number;
  readonly windowMs: number;
}

/**
 * How far guards may act in a fleet. `shadow`: they say what they see and do nothing · `off`: they say nothing either. A
 * guard that was quiet for a time begins with its mildest answer.
 */
export type FleetMode = "on" | "shadow" | "off";

/**
 * A worker's side of a fleet. All calls are synchronous and must not throw: what needs the network is queued by the one
 * and answered from what is already known by the other.
 */
export interface FleetMember {
  report(report: FleetReport): void;
  /** What the fleet knows of this fingerprint now; undefined if it is no dead end. */
  verdict(fingerprint: Digest): FleetVerdict | undefined;
  /** How far this guard may act now. A fleet without it lets guards act. */
  mode?(): FleetMode;
  /** This run loops, by its own evidence. */
  looping?(): void;
  /**
   * Whether this run may be stopped now, or too many of the fleet's were. Where it may not, its call is refused instead, and
   * it is asked about again at the next occasion. A fleet without it lets runs be stopped.
   */
  mayStop?(): boolean;
}
