import type { FleetMode } from "../core/fleet-view.ts";
import type { Digest } from "../core/identity/digest.ts";

/** One step of one worker, as the fleet needs it: no arguments, no outcome. */
export interface FleetReport {
  /** Unique within the worker, so that a report delivered twice counts once. */
  readonly id: string;
  /** The call in substance, or the exact call if that says no more. Undefined if the call does not concern the fleet. */
  readonly fingerprint: Digest | undefined;
  readonly tool: string;
  /** The step failed, or returned nothing new; undefined if unknown. */
  readonly isBarren: boolean | undefined;
}

/** What the fleet found about a fingerprint. */
export interface FleetVerdict {
  readonly calls: number;
  readonly workers: number;
  /** What `workers` is the number of, if it is not workers: a store counts processes. */
  readonly counted?: "processes";
  readonly windowMs: number;
}

/**
 * A worker's side of a fleet. All calls are synchronous and must not throw: reports are queued for the network, and
 * verdicts come from what is already known.
 */
export interface FleetSide {
  report(report: FleetReport): void;
  /** What the fleet knows about this fingerprint now; undefined if it is not a dead end. */
  verdict(fingerprint: Digest): FleetVerdict | undefined;
  /**
   * The world that this worker shares with others: a checkout, a sandbox, a cluster. Calls about the worker's own world count together
   * with those of workers in the same world, and not at all without this.
   */
  readonly world?: string | undefined;
  /** How far this guard may act now. A fleet without it lets guards act. */
  mode?(): FleetMode;
}

/** What `join` of a fleet returns, for the option `fleet` of a guard. You can override what it does: `{ ...member, mode: () => "shadow" }`. */
export interface FleetMember extends FleetSide {
  /**
   * Says what a guard reports to this member, and what it makes of the answers. It comes with the fleet, so that guards without one do not
   * load it.
   */
  readonly evidence: (member: FleetSide, onFault: (fault: unknown) => void) => object;
}
