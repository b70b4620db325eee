/** What came of sending reports. `dropped`: they were given up without asking the store. */
export type FlushOutcome = "delivered" | "timeout" | "failed" | "dropped";

/**
 * Whoever counts what a fleet does; `telemetry.observeFleet()` is one. A structural type: a fleet knows nothing of telemetry.
 *
 * `connected`: the store answers · `degraded`: it does not, and each worker sees only itself · `shadow`: the fleet reports and
 * says nothing · `off`: it was switched off, or has ended.
 */
export interface RedisFleetObserver {
  onFlush(flush: { readonly durationMs: number; readonly reports: number; readonly outcome: FlushOutcome }): unknown;
  onState(state: "connected" | "degraded" | "shadow" | "off"): unknown;
}
