import { DoomloopError } from "../core/doomloop-error.ts";
import { reportOnce, safely } from "../core/faults.ts";
import type { Guard, GuardOptions } from "../index.ts";
import { ATTRIBUTES, createToolLabels, type ToolLabelOptions } from "./attributes.ts";
import { createFleetObserver, createFleetStates, type FleetObserver } from "./fleet-observer.ts";
import { type InstrumentedGuard, instrumentGuard } from "./instrument-guard.ts";
import { createInstrumentSource, createSilentInstruments } from "./instruments.ts";
import {
  type GaugeResultLike,
  type MeterProviderLike,
  type MetricsLike,
  SILENT_PROVIDER,
  type SpanLike,
  type TraceLike,
} from "./open-telemetry.ts";
import { createDecisionRecorder, observeOptions } from "./record-decision.ts";

/** Where metrics and span events go, and which tools they name. */
export interface TelemetryOptions extends ToolLabelOptions {
  /**
   * `metrics` of your `@opentelemetry/api`. The current provider is looked up for each guard.
   * @default none: nothing is counted, unless you pass a `meterProvider`
   */
  readonly metrics?: MetricsLike;
  /**
   * `trace` of your `@opentelemetry/api`. Findings are added to the active span.
   * @default none: no span gets findings, unless you pass an `activeSpan`
   */
  readonly trace?: TraceLike;
  /**
   * Where metrics go, for an SDK that is not registered globally.
   * @default metrics.getMeterProvider()
   */
  readonly meterProvider?: MeterProviderLike;
  /**
   * Returns the span that a finding is added to; undefined for none.
   * @default trace.getActiveSpan
   */
  readonly activeSpan?: () => SpanLike | undefined;
  /** Called once for a fault in the telemetry. Guards continue. */
  readonly onFault?: (fault: unknown) => unknown;
}

/** Anything that knows the dead ends of a swarm, such as a `Fleet`. */
interface DeadEndSource {
  findings(): readonly unknown[];
}

/** Counts what guards and fleets do. Use one for each process, because the set of tool names that it exports is bounded. */
export interface Telemetry {
  /**
   * Wraps the guard of one run: `telemetry.instrument(createGuard())`. The guard decides as before. A fault in
   * OpenTelemetry never reaches it.
   */
  instrument(guard: Guard): InstrumentedGuard;
  /**
   * Returns guard options that count findings and decisions, for guards that other code creates. Runs, calls, obeyed nudges and
   * spending after onset need {@link Telemetry.instrument}, which an adapter's option `createGuard` can call. Do not use both
   * for one guard: its decisions would count twice.
   */
  observeOptions<Options extends GuardOptions>(options: Options): Options;
  /** Returns an observer for one fleet. The fleet calls it when it flushes and when its state changes. */
  observeFleet(): FleetObserver;
  /** Reads the number of dead ends of a fleet whenever metrics are collected. Call the returned function to stop. */
  watchDeadEnds(fleet: DeadEndSource): () => void;
}

/**
 * Creates the telemetry of a process. Throws a `DoomloopError` for invalid options; nothing throws after that.
 *
 * You can create it before or after the SDK is set up, because each new guard looks up the current provider.
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
  const fleets = createFleetStates();
  const silent = createSilentInstruments();
  const watched = new Set<DeadEndSource>();
  const measured = (action: () => void): void => void safely(action, reportFault);

  const observeCounts = (counts: Record<string, number>, attribute: string, result: GaugeResultLike): void => {
    if (Object.values(counts).every((count) => count === 0)) return;
    for (const [value, count] of Object.entries(counts)) result.observe(count, { [attribute]: value });
  };

  const observeDeadEnds = (result: GaugeResultLike): void => {
    if (watched.size === 0) return;
    result.observe([...watched].reduce((sum, fleet) => sum + fleet.findings().length, 0));
  };

  const instruments = createInstrumentSource(
    () => meterProvider ?? metrics?.getMeterProvider() ?? SILENT_PROVIDER,
    ({ fleetState, deadEnds }) => {
      fleetState.addCallback((result) => measured(() => observeCounts(fleets, ATTRIBUTES.fleetState, result)));
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
    observeFleet: () => createFleetObserver(fleets, instruments, measured),
    watchDeadEnds(fleet) {
      watched.add(fleet);
      // Creates the gauges now, because a process may have no guards.
      measured(instruments);
      return () => void watched.delete(fleet);
    },
  };
}
