import { ATTRIBUTES, OTHER } from "./attributes.ts";
import type { Instruments } from "./instruments.ts";

/**
 * The state of a fleet. `connected`: the store answers and accepts reports · `degraded`: it does not, and each process sees only
 * itself · `mismatch`: workers have different settings · `shadow`: it reports, but decides nothing · `off`: it was switched off ·
 * `ended`: it was closed, and has no state any more.
 */
export type FleetState = "connected" | "degraded" | "mismatch" | "shadow" | "off" | "ended";

/**
 * The outcome of a flush. `delivered`: the store has it · `timeout`: our deadline passed, and the store may have it ·
 * `failed`: the store refused it, or could not be reached · `dropped`: it was given up before it was sent.
 */
export type FlushOutcome = "delivered" | "timeout" | "failed" | "dropped";

/** One delivery of reports to the store. */
export interface FleetFlush {
  /** From the first byte sent to the answer, the deadline or the fault. */
  readonly durationMs: number;
  /** The number of reports in the flush. */
  readonly reports: number;
  readonly outcome: FlushOutcome;
}

/** Receives what a fleet reports about itself. A structural type, so that a fleet need not know about telemetry. Never throws. */
export interface FleetObserver {
  onFlush(flush: FleetFlush): void;
  /** Called with the first state and with every change. The same state again is ignored. */
  onState(state: FleetState): void;
}

const OUTCOMES: readonly FlushOutcome[] = ["delivered", "timeout", "failed", "dropped"];

/** The number of fleets of this process in each state. */
export type FleetStates = Record<Exclude<FleetState, "ended">, number>;

export function createFleetStates(): FleetStates {
  return { connected: 0, degraded: 0, mismatch: 0, shadow: 0, off: 0 };
}

/** Creates the observer of one fleet. */
export function createFleetObserver(
  states: FleetStates,
  instruments: () => Instruments,
  safely: (action: () => void) => void,
): FleetObserver {
  let current: keyof FleetStates | undefined;
  return {
    onFlush: (flush) =>
      safely(() => {
        const { durationMs, reports, outcome } = flush;
        const attributes = { [ATTRIBUTES.flushOutcome]: OUTCOMES.includes(outcome) ? outcome : OTHER };
        const { flushDuration, fleetReports } = instruments();
        if (isAmount(reports)) fleetReports.add(reports, attributes);
        // A flush that was never sent would make the store look fast.
        if (outcome !== "dropped" && isAmount(durationMs)) flushDuration.record(durationMs / 1000, attributes);
      }),
    onState: (state) =>
      safely(() => {
        const next = state === "ended" ? undefined : state;
        if (next === current || (next !== undefined && !Object.hasOwn(states, next))) return;
        const before = current;
        current = next;
        if (before !== undefined) states[before]--;
        if (next === undefined) return;
        states[next]++;
        if (before === undefined) startAtZero(instruments(), states);
        instruments().fleetChanges.add(1, { [ATTRIBUTES.fleetState]: next });
      }),
  };
}

/** Otherwise the first lost store or report would create a counter instead of increasing one, and no alert would fire. */
function startAtZero({ fleetChanges, fleetReports }: Instruments, states: FleetStates): void {
  for (const state of Object.keys(states)) fleetChanges.add(0, { [ATTRIBUTES.fleetState]: state });
  for (const outcome of OUTCOMES) fleetReports.add(0, { [ATTRIBUTES.flushOutcome]: outcome });
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
