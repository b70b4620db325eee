import { ACTIONS, ATTRIBUTES } from "./attributes.ts";
import { FLUSH_BOUNDARIES, METRICS } from "./metrics.ts";
import {
  type CounterLike,
  type GaugeLike,
  type HistogramLike,
  type MeterLike,
  type MeterProviderLike,
  SILENT_METER,
} from "./open-telemetry.ts";

/** The instruments of one meter, by the names that {@link METRICS} gives them. */
export interface Instruments {
  readonly runs: CounterLike;
  readonly loopingRuns: CounterLike;
  readonly calls: CounterLike;
  readonly findings: CounterLike;
  readonly allowed: CounterLike;
  readonly decisions: CounterLike;
  readonly nudges: CounterLike;
  readonly onsetCalls: CounterLike;
  readonly onsetTokens: CounterLike;
  readonly faults: CounterLike;
  readonly fleetChanges: CounterLike;
  readonly fleetReports: CounterLike;
  readonly flushDuration: HistogramLike;
  readonly fleetState: GaugeLike;
  readonly deadEnds: GaugeLike;
}

/**
 * Finds the instruments of the provider that is in charge now.
 *
 * A meter that is asked for before the SDK is set up stays silent for good, so the provider is looked up each time and
 * the instruments are made anew when another one has taken over. `onCreated` is told of those, to observe gauges.
 */
export function createInstrumentSource(
  provider: () => MeterProviderLike,
  onCreated: (instruments: Instruments) => void,
): () => Instruments {
  let current: MeterProviderLike | undefined;
  let instruments: Instruments | undefined;
  return () => {
    const found = provider();
    if (instruments === undefined || found !== current) {
      const created = createInstruments(found.getMeter("doomloop"));
      beginAtNought(created);
      current = found;
      instruments = created;
      onCreated(created);
    }
    return instruments;
  };
}

/**
 * A counter that shows for the first time with its first count has not risen in the eyes of Prometheus, and an alert on one
 * fault would never fire. Those with few attributes are there from the beginning.
 */
function beginAtNought(instruments: Instruments): void {
  const { runs, loopingRuns, calls, allowed, onsetCalls, faults, decisions, nudges } = instruments;
  for (const counter of [runs, loopingRuns, calls, allowed, onsetCalls, faults]) counter.add(0);
  for (const action of ACTIONS) decisions.add(0, { [ATTRIBUTES.action]: action });
  for (const outcome of ["obeyed", "ignored"]) nudges.add(0, { [ATTRIBUTES.nudgeOutcome]: outcome });
}

/** Instruments that measure nothing, for when there are no others. */
export function createSilentInstruments(): Instruments {
  return createInstruments(SILENT_METER);
}

type AnyMetric = (typeof METRICS)[keyof typeof METRICS];

function createInstruments(meter: MeterLike): Instruments {
  const counter = ({ name, unit, description }: AnyMetric): CounterLike =>
    meter.createCounter(name, { unit, description });
  const gauge = ({ name, unit, description }: AnyMetric): GaugeLike =>
    meter.createObservableGauge(name, { unit, description });
  const { name, unit, description } = METRICS.flushDuration;
  const advice = { explicitBucketBoundaries: FLUSH_BOUNDARIES };
  return {
    runs: counter(METRICS.runs),
    loopingRuns: counter(METRICS.loopingRuns),
    calls: counter(METRICS.calls),
    findings: counter(METRICS.findings),
    allowed: counter(METRICS.allowed),
    decisions: counter(METRICS.decisions),
    nudges: counter(METRICS.nudges),
    onsetCalls: counter(METRICS.onsetCalls),
    onsetTokens: counter(METRICS.onsetTokens),
    faults: counter(METRICS.faults),
    fleetChanges: counter(METRICS.fleetChanges),
    fleetReports: counter(METRICS.fleetReports),
    flushDuration: meter.createHistogram(name, { unit, description, advice }),
    fleetState: gauge(METRICS.fleetState),
    deadEnds: gauge(METRICS.deadEnds),
  };
}
