import { ATTRIBUTES, OTHER } from "./attributes.ts";
import type { Instruments } from "./instruments.ts";

/**
 * The state of a fleet's store. `connected`: it answers and accepts reports · `degraded`: it does not, and each process sees only itself ·
 * `ended`: the fleet was closed, and no longer has a state.
 */
export type FleetState = "connected" | "degraded" | "ended";

/**
 * The outcome of a flush. `delivered`: the store has it · `timeout`: our deadline passed, and the store may have it ·
 * `failed`: the store refused it, or could not be reached · `dropped`: it was given up before it was sent.
 */
type FlushOutcome = "delivered" | "timeout" | "failed" | "dropped";

/** One delivery of reports to the store. */
interface FleetFlush {
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

/** The number of fleets of this process in each state of their store. */
export type FleetStates = Record<Exclude<FleetState, "ended">, number>;

export function createFleetStates(): FleetStates {
  return { connected: 0, degraded: 0 };
}

/** Creates the observer of one fleet. */
export function createFleetObserver(
  states: FleetStates,
  instruments: () => Instruments,
  safely: (action: () => void) => void,
): FleetObserver {
  let state: string | undefined;
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
    onState: (next) =>
      safely(() => {
        const before = state;
        state = move(states, before, next === "ended" ? undefined : next);
        if (state === before || state === undefined) return;
        if (before === undefined) startAtZero(instruments());
        instruments().fleetChanges.add(1, { [ATTRIBUTES.fleetState]: state });
      }),
  };
}

/** Counts a fleet where it is now, and no longer where it was. Returns where it is: what is unknown changes nothing. */
function move(
  counts: Record<string, number>,
  before: string | undefined,
  next: string | undefined,
): string | undefined {
  if (next !== undefined && !Object.hasOwn(counts, next)) return before;
  if (before !== undefined) counts[before]!--;
  if (next !== undefined) counts[next]!++;
  return next;
}

/** Otherwise the first lost store or report would create a counter instead of increasing one, and no alert would fire. */
function startAtZero({ fleetChanges, fleetReports }: Instruments): void {
  for (const state of Object.keys(createFleetStates())) fleetChanges.add(0, { [ATTRIBUTES.fleetState]: state });
  for (const outcome of OUTCOMES) fleetReports.add(0, { [ATTRIBUTES.flushOutcome]: outcome });
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
