import type { Asked } from "./command-line.ts";
import type { Data } from "./find-data.ts";
import type { Instrument } from "./instruments/instrument.ts";
import { measureInstruments } from "./instruments/measure-instruments.ts";
import type { JudgedSource } from "./judged-run.ts";
import { type Labels, readLabels } from "./labels.ts";
import { type Measurement, measure } from "./measure.ts";
import { ordersOf } from "./orders-of.ts";
import { replaySources } from "./replay-sources.ts";

/** All that was replayed, and what the instruments say of it. */
export interface Measured {
  readonly sources: readonly JudgedSource[];
  /** Undefined without recorded runs. */
  readonly measurement: Measurement | undefined;
  /** Of the runs that were recorded later; undefined without them. */
  readonly later: LaterMeasurement | undefined;
  readonly instruments: readonly Instrument[];
}

/** Of all judged windows, and of those that were drawn without regard to our guard. */
export interface LaterMeasurement {
  readonly all: Measurement;
  readonly independent: Measurement;
}

/** The strata whose windows were drawn by a simple rule, and at random. */
const INDEPENDENT = ["a", "d"];

/** Replays all runs there are and asks every instrument. */
export async function measureAll(asked: Pick<Asked, "preset" | "detector">, data: Data): Promise<Measured> {
  const kinds = ["recorded", "later", "sessions", "everyday"] as const;
  const sources = await replaySources(kinds.flatMap((kind) => ordersOf(asked, data, kind)));
  const recorded = sources.filter(({ kind }) => kind === "recorded");
  const measurement = recorded.length === 0 ? undefined : measure(recorded, readLabels(data.labels));
  const later = measureLater(
    sources.filter(({ kind }) => kind === "later"),
    readLabels(data.laterLabels),
  );
  return { sources, measurement, later, instruments: measureInstruments(sources, measurement, later) };
}

function measureLater(sources: readonly JudgedSource[], labels: Labels): LaterMeasurement | undefined {
  if (sources.length === 0) return undefined;
  const windows = labels.windows.filter(({ stratum = "" }) => INDEPENDENT.includes(stratum));
  return { all: measure(sources, labels), independent: measure(sources, { ...labels, windows }) };
}
