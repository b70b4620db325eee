import { wordList } from "../core/collections/word-list.ts";
import type { FleetMode } from "../core/fleet-view.ts";
import { ATTRIBUTES, OTHER } from "./attributes.ts";
import type { Instruments } from "./instruments.ts";

/**
 * The state of a fleet's store. `connected`: it answers and accepts reports · `degraded`: it does not, and each process sees only itself ·
 * `mismatch`: workers have different settings · `ended`: the fleet was closed, and no longer has a state.
 */
export type FleetState = "connected" | "degraded" | "mismatch" | "ended";

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
  /** How far guards may act: called with the first mode and with every change. */
  onMode(mode: FleetMode): void;
  /** The kind of each notice to operators. */
  onNotice(kind: string): void;
}

const OUTCOMES: readonly FlushOutcome[] = ["delivered", "timeout", "failed", "dropped"];

const NOTICES = wordList(
  "store-away store-back reports-refused settings-differ mode switch-unreadable quota-reached news-flooded news-removed counts-removed",
);

/** The number of fleets of this process in each state of their store, and in each mode. */
export interface FleetStates {
  readonly states: Record<Exclude<FleetState, "ended">, number>;
  readonly modes: Record<FleetMode, number>;
}

export function createFleetStates(): FleetStates {
  return { states: { connected: 0, degraded: 0, mismatch: 0 }, modes: { on: 0, shadow: 0, off: 0 } };
}

/** Creates the observer of one fleet. */
export function createFleetObserver(
  { states, modes }: FleetStates,
  instruments: () => Instruments,
  safely: (action: () => void) => void,
): FleetObserver {
  let state: string | undefined;
  let mode: string | undefined;
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
        if (next === "ended") mode = move(modes, mode, undefined);
        const before = state;
        state = move(states, before, next === "ended" ? undefined : next);
        if (state === before || state === undefined) return;
        if (before === undefined) startAtZero(instruments());
        instruments().fleetChanges.add(1, { [ATTRIBUTES.fleetState]: state });
      }),
    onMode: (next) =>
      safely(() => {
        mode = move(modes, mode, next);
      }),
    onNotice: (kind) =>
      safely(() =>
        instruments().fleetNotices.add(1, { [ATTRIBUTES.noticeKind]: NOTICES.includes(kind) ? kind : OTHER }),
      ),
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
function startAtZero({ fleetChanges, fleetReports, fleetNotices }: Instruments): void {
  for (const state of Object.keys(createFleetStates().states)) fleetChanges.add(0, { [ATTRIBUTES.fleetState]: state });
  for (const outcome of OUTCOMES) fleetReports.add(0, { [ATTRIBUTES.flushOutcome]: outcome });
  for (const kind of NOTICES) fleetNotices.add(0, { [ATTRIBUTES.noticeKind]: kind });
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
