import { ATTRIBUTES, OTHER } from "./attributes.ts";
import type { Instruments } from "./instruments.ts";

/**
 * How a fleet stands to its store. `connected`: the store answers and takes reports · `degraded`: it does not, and each process
 * sees only itself · `mismatch`: workers do not agree on their settings · `shadow`: it reports and says nothing · `off`: it was
 * switched off · `ended`: it was closed, and is in no state from now on.
 */
export type FleetState = "connected" | "degraded" | "mismatch" | "shadow" | "off" | "ended";

/**
 * What came of a flush. `delivered`: the store has it · `timeout`: our deadline passed, and the store may have it ·
 * `failed`: the store refused it, or could not be reached · `dropped`: it was given up without asking the store.
 */
export type FlushOutcome = "delivered" | "timeout" | "failed" | "dropped";

/** One delivery of reports to the store. */
export interface FleetFlush {
  /** From the first byte sent until the answer, the deadline or the fault. */
  readonly durationMs: number;
  /** Reports that the flush carried. */
  readonly reports: number;
  readonly outcome: FlushOutcome;
}

/** What a fleet tells about itself. A structural type: a fleet calls it and knows nothing of telemetry. Never throws. */
export interface FleetObserver {
  onFlush(flush: FleetFlush): void;
  /** Told of the state at the beginning and of every change; the same state again is no change. */
  onState(state: FleetState): void;
}

const OUTCOMES: readonly FlushOutcome[] = ["delivered", "timeout", "failed", "dropped"];

/** How many fleets of this process are in which state. */
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
        // What was never sent took no time, and would make the store look fast.
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
        if (before === undefined) beginAtNought(instruments(), states);
        instruments().fleetChanges.add(1, { [ATTRIBUTES.fleetState]: next });
      }),
  };
}

/** The first loss of the store, or of a report, is a rise only of a counter that was there before. */
function beginAtNought({ fleetChanges, fleetReports }: Instruments, states: FleetStates): void {
  for (const state of Object.keys(states)) fleetChanges.add(0, { [ATTRIBUTES.fleetState]: state });
  for (const outcome of OUTCOMES) fleetReports.add(0, { [ATTRIBUTES.flushOutcome]: outcome });
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
