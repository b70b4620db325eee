import { ACTIONS, ATTRIBUTES } from "./attributes.ts";
import {
  type CounterLike,
  type GaugeLike,
  type HistogramLike,
  type MeterLike,
  type MeterProviderLike,
  SILENT_METER,
} from "./open-telemetry.ts";

interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** As in UCUM, where text in braces is a note, not a unit. */
  readonly unit: string;
  readonly description: string;
}

/** Every metric. Names and units are public: dashboards and alerts depend on them. */
export const METRICS = {
  runs: { name: "doomloop.runs", type: "counter", unit: "{run}", description: "Runs that are watched" },
  loopingRuns: {
    name: "doomloop.runs.looping",
    type: "counter",
    unit: "{run}",
    description: "Runs in which a loop was found, each counted once",
  },
  calls: { name: "doomloop.calls", type: "counter", unit: "{call}", description: "Tool calls that were asked for" },
  findings: {
    name: "doomloop.findings",
    type: "counter",
    unit: "{finding}",
    description: "Findings that were reported",
  },
  allowed: {
    name: "doomloop.findings.allowed",
    type: "counter",
    unit: "{finding}",
    description: "Findings that a host or a user allowed",
  },
  decisions: {
    name: "doomloop.decisions",
    type: "counter",
    unit: "{decision}",
    description: "Decisions with a finding, by what was done",
  },
  nudges: {
    name: "doomloop.nudges.settled",
    type: "counter",
    unit: "{nudge}",
    description: "Nudges that were obeyed or ignored",
  },
  questions: {
    name: "doomloop.questions",
    type: "counter",
    unit: "{question}",
    description: "Questions to a second opinion, by reason",
  },
  opinions: {
    name: "doomloop.opinions",
    type: "counter",
    unit: "{opinion}",
    description: "Answers of a second opinion, by reason and verdict",
  },
  onsetCalls: {
    name: "doomloop.onset.calls",
    type: "counter",
    unit: "{call}",
    description: "Calls made between the first and the latest finding of a loop that went on",
  },
  onsetTokens: {
    name: "doomloop.onset.tokens",
    type: "counter",
    unit: "{token}",
    description: "Tokens spent between the first and the latest finding of a loop that went on",
  },
  faults: { name: "doomloop.faults", type: "counter", unit: "{fault}", description: "Faults inside guards" },
  fleetState: {
    name: "doomloop.fleet.state",
    type: "gauge",
    unit: "{fleet}",
    description: "Fleets of this process by the state of their store",
  },
  fleetChanges: {
    name: "doomloop.fleet.changes",
    type: "counter",
    unit: "{change}",
    description: "Changes of a fleet's state, by the state that it came to",
  },
  deadEnds: {
    name: "doomloop.fleet.dead_ends",
    type: "gauge",
    unit: "{finding}",
    description: "Dead ends of the swarm that are known here and now",
  },
  fleetReports: {
    name: "doomloop.fleet.reports",
    type: "counter",
    unit: "{report}",
    description: "Reports to the store, by outcome",
  },
  flushDuration: {
    name: "doomloop.fleet.flush.duration",
    type: "histogram",
    unit: "s",
    description: "How long the store took for one flush",
  },
} as const satisfies Record<string, Metric>;

/** In seconds. A store usually answers within milliseconds, and an answer after a second is late. */
const FLUSH_BOUNDARIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The instruments of one meter, named as in {@link METRICS}. */
export interface Instruments {
  readonly runs: CounterLike;
  readonly loopingRuns: CounterLike;
  readonly calls: CounterLike;
  readonly findings: CounterLike;
  readonly allowed: CounterLike;
  readonly decisions: CounterLike;
  readonly nudges: CounterLike;
  readonly questions: CounterLike;
  readonly opinions: CounterLike;
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
 * Returns a function that finds the instruments of the current provider.
 *
 * A meter that was created before the SDK is set up stays silent forever. So the provider is looked up each time, and
 * new instruments are created when it has changed. `onCreated` gets them, to observe gauges.
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
      startAtZero(created);
      current = found;
      instruments = created;
      onCreated(created);
    }
    return instruments;
  };
}

/**
 * Prometheus sees no increase in a counter that first appears with its first count, so an alert on a single fault would never
 * fire. Counters with few attributes therefore start at zero.
 */
function startAtZero(instruments: Instruments): void {
  const { runs, loopingRuns, calls, allowed, onsetCalls, faults, decisions, nudges } = instruments;
  for (const counter of [runs, loopingRuns, calls, allowed, onsetCalls, faults]) counter.add(0);
  for (const action of ACTIONS) decisions.add(0, { [ATTRIBUTES.action]: action });
  for (const outcome of ["obeyed", "ignored"]) nudges.add(0, { [ATTRIBUTES.nudgeOutcome]: outcome });
}

/** Instruments that record nothing, used if there are no others. */
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
    questions: counter(METRICS.questions),
    opinions: counter(METRICS.opinions),
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
