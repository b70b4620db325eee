export type { FleetFlush, FleetObserver, FleetState, FlushOutcome } from "./fleet-observer.ts";
export type { InstrumentedGuard, TokenUsage } from "./instrument-guard.ts";
export type { MeterProviderLike, MetricsLike, SpanLike, TraceLike } from "./open-telemetry.ts";
export { createTelemetry, type DeadEndSource, type Telemetry, type TelemetryOptions } from "./telemetry.ts";
