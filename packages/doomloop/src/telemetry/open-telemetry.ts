/**
 * `metrics` of `@opentelemetry/api`, as far as it is used. These are structural types, so that any version of the API fits. No
 * version is installed with doomloop.
 */
export interface MetricsLike {
  getMeterProvider(): MeterProviderLike;
}

/** `trace` of `@opentelemetry/api`, as far as it is used. */
export interface TraceLike {
  getActiveSpan(): SpanLike | undefined;
}

/** A meter provider of OpenTelemetry, as far as it is used. */
export interface MeterProviderLike {
  getMeter(name: string): MeterLike;
}

export interface MeterLike {
  createCounter(name: string, options?: InstrumentOptions): CounterLike;
  createHistogram(name: string, options?: InstrumentOptions): HistogramLike;
  createObservableGauge(name: string, options?: InstrumentOptions): GaugeLike;
}

interface InstrumentOptions {
  unit?: string;
  description?: string;
  advice?: { explicitBucketBoundaries?: number[] };
}

export type AttributesLike = Record<string, string | number>;

export interface CounterLike {
  add(value: number, attributes?: AttributesLike): void;
}

export interface HistogramLike {
  record(value: number, attributes?: AttributesLike): void;
}

/** Receives the value of a gauge when metrics are collected. */
export interface GaugeResultLike {
  observe(value: number, attributes?: AttributesLike): void;
}

export interface GaugeLike {
  addCallback(callback: (result: GaugeResultLike) => void): void;
}

/** A span of OpenTelemetry, as far as it is used. */
export interface SpanLike {
  addEvent(name: string, attributes?: AttributesLike): unknown;
}

/** Records nothing. Used if there is no other meter. */
export const SILENT_METER: MeterLike = {
  createCounter: () => ({ add() {} }),
  createHistogram: () => ({ record() {} }),
  createObservableGauge: () => ({ addCallback() {} }),
};

export const SILENT_PROVIDER: MeterProviderLike = { getMeter: () => SILENT_METER };
