import { DoomloopError, requireInteger } from "../core/doomloop-error.ts";

/** When calls become a dead end of the swarm. The same for every store. */
export interface FleetOptions {
  /**
   * Calls with one fingerprint, within the window and by all workers, that make a finding.
   * @default 10
   */
  readonly calls?: number;
  /**
   * Different workers among them. At least 2: what one worker does again and again is for its own guard to see.
   * @default 2
   */
  readonly workers?: number;
  /**
   * How long a call counts at most.
   * @default 300000
   */
  readonly windowMs?: number;
  /**
   * Count every call, whatever came of it. Otherwise only barren ones count, and one that got a worker further
   * clears the count of its fingerprint.
   * @default false
   */
  readonly countAll?: boolean;
  /**
   * The time in milliseconds. A clock that is set back stands still for the fleet; it is never taken back.
   * @default Date.now, or the server's own clock where counts live in a store
   */
  readonly now?: () => number;
}

/** Fills in what the caller left out; throws a `DoomloopError` for what makes no sense. */
export function resolveFleetOptions(options: FleetOptions): Required<FleetOptions> {
  const { calls = 10, workers = 2, windowMs = 300_000, countAll = false, now = Date.now } = options;
  requireInteger("fleet: calls", calls, 2);
  requireInteger("fleet: workers", workers, 2, calls);
  requireInteger("fleet: windowMs", windowMs, 1);
  if (typeof now !== "function") {
    throw new DoomloopError("invalid-option", `fleet: now: a function is required, got ${String(now)}`);
  }
  return { calls, workers, windowMs, countAll, now };
}
