import type { FleetMode } from "../../core/fleet-view.ts";
import type {
  FleetNotice,
  FleetState,
  FlushOutcome,
  StoreFleetObserver,
} from "../../fleet/process/store-fleet-options.ts";

/** Counts what the service's fleet does, under the names that `doomloop/telemetry` has for it, so that the same alerts fit. */
export interface FleetMetrics extends Required<StoreFleetObserver> {
  /** Everything in Prometheus' text format. */
  text(deadEnds: number): string;
}

const STATES: readonly FleetState[] = ["connected", "degraded", "mismatch"];
const MODES: readonly FleetMode[] = ["on", "shadow", "off"];

export function createFleetMetrics(): FleetMetrics {
  const changes = new Map<FleetState, number>();
  const reports = new Map<FlushOutcome, number>();
  const notices = new Map<FleetNotice["kind"], number>();
  let state: FleetState | undefined;
  let mode: FleetMode | undefined;
  return {
    onFlush: ({ reports: sent, outcome }) => add(reports, outcome, sent),
    onState(next) {
      state = next;
      add(changes, next);
    },
    onMode(next) {
      mode = next;
    },
    onNotice: (kind) => add(notices, kind),
    text(deadEnds) {
      const is = (values: readonly string[], current: string | undefined): [string, number][] =>
        values.map((value) => [value, value === current ? 1 : 0]);
      return [
        ...family("doomloop_fleet_state", "1 for the state of the fleet's store.", is(STATES, state)),
        ...family("doomloop_fleet_mode", "1 for how far guards may act.", is(MODES, mode)),
        ...family(
          "doomloop_fleet_changes_total",
          "Changes of the state, by the new one.",
          changes,
          "doomloop_fleet_state",
        ),
        ...family("doomloop_fleet_notices_total", "What operators were told.", notices, "doomloop_fleet_notice"),
        ...family("doomloop_fleet_reports_total", "Reports, by outcome.", reports, "doomloop_flush_outcome"),
        "# HELP doomloop_fleet_dead_ends Dead ends of the fleet that are known here.",
        "# TYPE doomloop_fleet_dead_ends gauge",
        `doomloop_fleet_dead_ends ${deadEnds}`,
        "",
      ].join("\n");
    },
  };
}

function add<Name>(counts: Map<Name, number>, name: Name, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

function family(name: string, help: string, values: Iterable<readonly [string, number]>, label = name): string[] {
  const lines = [...values].map(([value, count]) => `${name}{${label}="${value}"} ${count}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${name.endsWith("_total") ? "counter" : "gauge"}`, ...lines];
}
