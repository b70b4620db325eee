import type { FleetMode } from "../core/fleet-member.ts";

/** What the people who run a fleet are told: facts, no words. Each is told once until it is over. */
export type FleetNotice =
  /** The store does not answer. Each process goes on by itself; what it may stop is said by `stopsWhenAway`. */
  | { readonly kind: "store-away"; readonly reason: string }
  | { readonly kind: "store-back"; readonly awayMs: number }
  /** The store answers, and takes no reports: no memory, no rights, a replica, a key that holds something else. */
  | { readonly kind: "reports-refused"; readonly reason: string }
  /** Workers of this tenant do not agree on these: they do not see each other, or judge differently. */
  | { readonly kind: "settings-differ"; readonly settings: readonly string[] }
  /** `switch`: the store's switch or the option `mode` · `distrust`: so many runs of this process loop that the fault is taken to be ours. */
  | { readonly kind: "mode"; readonly mode: FleetMode; readonly because: "switch" | "distrust" }
  /** What is in the switch's key is no mode. It stays as it was. */
  | { readonly kind: "switch-unreadable" }
  /** The tenant reported so many fingerprints within a minute that this process waits for the next. */
  | { readonly kind: "quota-reached" };

/** What came of sending reports. `dropped`: they were given up without asking the store. */
export type FlushOutcome = "delivered" | "timeout" | "failed" | "dropped";

/**
 * `connected`: the store answers and takes reports · `degraded`: it does not, and each process sees only itself · `mismatch`: workers do not agree on
 * their settings · `shadow`: the fleet reports and says nothing · `off`: it was switched off · `ended`: it was closed.
 */
export type FleetState = "connected" | "degraded" | "mismatch" | "shadow" | "off" | "ended";

/** Whoever counts what a fleet does; `telemetry.observeFleet()` is one. A structural type: a fleet knows nothing of telemetry. */
export interface RedisFleetObserver {
  onFlush(flush: { readonly durationMs: number; readonly reports: number; readonly outcome: FlushOutcome }): unknown;
  onState(state: FleetState): unknown;
}
