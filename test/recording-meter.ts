import type { MeterProviderLike } from "../packages/doomloop/src/telemetry/open-telemetry.ts";

type Meter = ReturnType<MeterProviderLike["getMeter"]>;
type Gauge = ReturnType<Meter["createObservableGauge"]>;
type Attributes = Readonly<Record<string, unknown>>;

/** A provider that keeps what is measured, so that tests of the library need no SDK. Real ones stand in `test/hosts/telemetry`. */
export interface RecordingMeter {
  readonly provider: MeterProviderLike;
  /** What was added to a counter, or recorded by a histogram, by its attributes: `name{key=value}`. Noughts are left out. */
  totals(): Record<string, number>;
  /** Collects the gauges, as an exporter does. */
  gauges(): Record<string, number>;
}

export function createRecordingMeter(): RecordingMeter {
  const sums = new Map<string, number>();
  const callbacks = new Map<string, Set<Parameters<Gauge["addCallback"]>[0]>>();

  const adding = (name: string) => (value: number, attributes?: Attributes) => {
    const key = keyOf(name, attributes);
    sums.set(key, (sums.get(key) ?? 0) + value);
  };

  const gaugeOf = (name: string): Gauge => {
    const own = callbacks.get(name) ?? new Set();
    callbacks.set(name, own);
    return { addCallback: (callback) => void own.add(callback) };
  };

  const meter: Meter = {
    createCounter: (name) => ({ add: adding(name) }),
    createHistogram: (name) => ({ record: adding(name) }),
    createObservableGauge: gaugeOf,
  };

  return {
    provider: { getMeter: () => meter },
    totals: () =>
      Object.fromEntries([...sums].filter(([, sum]) => sum !== 0).sort(([one], [other]) => (one < other ? -1 : 1))),
    gauges() {
      const seen: Record<string, number> = {};
      for (const [name, own] of callbacks) {
        const observe = (value: number, attributes?: Attributes): void => {
          seen[keyOf(name, attributes)] = value;
        };
        for (const callback of own) callback({ observe });
      }
      return seen;
    },
  };
}

function keyOf(name: string, attributes: Attributes = {}): string {
  const pairs = Object.entries(attributes).map(([key, value]) => `${key}=${String(value)}`);
  return pairs.length === 0 ? name : `${name}{${pairs.sort().join(",")}}`;
}
