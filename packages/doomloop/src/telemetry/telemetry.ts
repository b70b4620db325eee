import { DoomloopError } from "../core/doomloop-error.ts";
import { reportOnce, safely } from "../core/faults.ts";
import type { Guard } from "../core/guard.ts";
import type { GuardOptions } from "../core/options.ts";
import { ATTRIBUTES } from "./attributes.ts";
import { createFleetObserver, createFleetStates, type FleetObserver } from "./fleet-observer.ts";
import { type InstrumentedGuard, instrumentGuard } from "./instrument-guard.ts";
import { createInstrumentSource, createSilentInstruments } from "./instruments.ts";
import { observeOptions } from "./observe-options.ts";
import {
  type GaugeResultLike,
  type MeterProviderLike,
  type MetricsLike,
  SILENT_PROVIDER,
  type SpanLike,
  type TraceLike,
} from "./open-telemetry.ts";
import { createDecisionRecorder } from "./record-decision.ts";
import { createToolLabels, type ToolLabelOptions } from "./tool-labels.ts";

/** Where metrics and span events go, and how much of tool names they show. */
export interface TelemetryOptions extends ToolLabelOptions {
  /**
   * `metrics` of your `@opentelemetry/api`. The provider in charge is looked up for each guard.
   * @default none: nothing is counted, unless there is a `meterProvider`
   */
  readonly metrics?: MetricsLike;
  /**
   * `trace` of your `@opentelemetry/api`: findings are noted on the span that is active.
   * @default none: nothing is noted, unless there is an `activeSpan`
   */
  readonly trace?: TraceLike;
  /**
   * Where metrics go, for an SDK that is not registered globally.
   * @default metrics.getMeterProvider()
   */
  readonly meterProvider?: MeterProviderLike;
  /**
   * The span that a finding is noted on; undefined for none.
   * @default trace.getActiveSpan
   */
  readonly activeSpan?: () => SpanLike | undefined;
  /** Told once of a fault in the telemetry. Guards go on. */
  readonly onFault?: (fault: unknown) => unknown;
}

/** Anything that knows the dead ends of a swarm, such as a `Fleet`. */
export interface DeadEndSource {
  findings(): readonly unknown[];
}

/** Counts what guards and fleets do. One for each process: the set of tool names that it lets through is bounded. */
export interface Telemetry {
  /**
   * Wraps the guard of one run: `telemetry.instrument(createGuard())`. The guard decides as before, and a fault of
   * OpenTelemetry never reaches it.
   */
  instrument(guard: Guard): InstrumentedGuard;
  /**
   * Guard options that count findings and decisions, where somebody else makes the guard. Runs, calls, nudges obeyed and
   * what is spent after onset need {@link Telemetry.instrument}, which an adapter's option `createGuard` can call. Not for
   * a guard that is instrumented: its decisions would count twice.
   */
  observeOptions<Options extends GuardOptions>(options: Options): Options;
  /** Hooks for one fleet, which calls them when it flushes and when its state changes. */
  observeFleet(): FleetObserver;
  /** Reads the number of dead ends of a fleet whenever metrics are collected. Returns what ends that. */
  watchDeadEnds(fleet: DeadEndSource): () => void;
}

/**
 * Creates the telemetry of a process. Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 *
 * It may be created before or after the SDK is set up: each new guard looks for the provider that is in charge.
 */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { metrics, trace, meterProvider, activeSpan = () => trace?.getActiveSpan() } = options;
  const reportFault = reportOnce(options.onFault);
  const recorder = createDecisionRecorder(createToolLabels(options), () => safely(activeSpan, reportFault));
  if ((metrics ?? trace ?? meterProvider ?? options.activeSpan) === undefined) {
    throw new DoomloopError(
      "invalid-option",
      "telemetry: metrics and trace of your @opentelemetry/api are required, got neither",
    );
  }
  const states = createFleetStates();
  const silent = createSilentInstruments();
  const watched = new Set<DeadEndSource>();
  const measured = (action: () => void): void => void safely(action, reportFault);

  const observeState = (result: GaugeResultLike): void => {
    if (Object.values(states).every((fleets) => fleets === 0)) return;
    for (const [state, fleets] of Object.entries(states)) {
      result.observe(fleets, { [ATTRIBUTES.fleetState]: state });
    }
  };

  const observeDeadEnds = (result: GaugeResultLike): void => {
    if (watched.size === 0) return;
    result.observe([...watched].reduce((sum, fleet) => sum + fleet.findings().length, 0));
  };

  const instruments = createInstrumentSource(
    () => meterProvider ?? metrics?.getMeterProvider() ?? SILENT_PROVIDER,
    ({ fleetState, deadEnds }) => {
      fleetState.addCallback((result) => measured(() => observeState(result)));
      deadEnds.addCallback((result) => measured(() => observeDeadEnds(result)));
    },
  );

  return {
    instrument(guard) {
      let found = silent;
      measured(() => {
        found = instruments();
      });
      return instrumentGuard(guard, { instruments: found, recorder, safely: measured });
    },
    observeOptions: (given) =>
      observeOptions(given, (decision) => measured(() => recorder.record(instruments(), decision))),
    observeFleet: () => createFleetObserver(states, instruments, measured),
    watchDeadEnds(fleet) {
      watched.add(fleet);
      // Gauges are there from now on, also in a process without guards.
      measured(instruments);
      return () => void watched.delete(fleet);
    },
  };
}
