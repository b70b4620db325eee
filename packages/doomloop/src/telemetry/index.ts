export type { InstrumentedGuard } from "./instrument-guard.ts";
export { createTelemetry, type Telemetry, type TelemetryOptions } from "./telemetry.ts";
