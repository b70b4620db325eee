import type { Asked } from "./command-line.ts";
import type { Data } from "./find-data.ts";
import type { Instrument } from "./instruments/instrument.ts";
import { measureInstruments } from "./instruments/measure-instruments.ts";
import type { JudgedSource } from "./judged-run.ts";
import { readLabels } from "./labels.ts";
import { type Measurement, measure } from "./measure.ts";
import { ordersOf } from "./orders-of.ts";
import type { ReplayOrder } from "./replay-order.ts";
import { replaySources } from "./replay-sources.ts";
import type { Replacement } from "./without/replace-functions.ts";

/** All that was replayed, and what the instruments say of it. */
export interface Measured {
  readonly sources: readonly JudgedSource[];
  /** Undefined without recorded runs. */
  readonly measurement: Measurement | undefined;
  readonly instruments: readonly Instrument[];
}

/** How the guard is to differ from the one that is shipped. */
export interface Changes {
  readonly order?: Pick<ReplayOrder, "options" | "isAlone" | "isQuick">;
  readonly replacements?: readonly Replacement[];
}

/** Replays all runs there are and asks every instrument. */
export async function measureAll(
  asked: Pick<Asked, "preset" | "detector">,
  data: Data,
  { order = {}, replacements = [] }: Changes = {},
): Promise<Measured> {
  const kinds = ["recorded", "sessions", "everyday"] as const;
  const orders = kinds.flatMap((kind) => ordersOf(asked, data, kind)).map((each) => ({ ...each, ...order }));
  const sources = await replaySources(orders, replacements);
  const recorded = sources.filter(({ kind }) => kind === "recorded");
  const measurement = recorded.length === 0 ? undefined : measure(recorded, readLabels(data.labels));
  return { sources, measurement, instruments: measureInstruments(sources, measurement) };
}
