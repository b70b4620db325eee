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
 * A worker's side of a fleet. Both calls are synchronous and must not throw: what needs the network is queued by the one
 * and answered from what is already known by the other.
 */
export interface FleetMember {
  report(report: FleetReport): void;
  /** What the fleet knows of this fingerprint now; undefined if it is no dead end. */
  verdict(fingerprint: Digest): FleetVerdict | undefined;
}
