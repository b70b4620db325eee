/**
 * The few things of OpenTelemetry that are used, as structural types: those of the API differ from one minor version to the
 * next, and the one that the host has will do. None is installed with doomloop.
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

/** What a gauge shows when metrics are collected. */
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

/** Measures nothing: for when there is no other. */
export const SILENT_METER: MeterLike = {
  createCounter: () => ({ add() {} }),
  createHistogram: () => ({ record() {} }),
  createObservableGauge: () => ({ addCallback() {} }),
};

export const SILENT_PROVIDER: MeterProviderLike = { getMeter: () => SILENT_METER };
