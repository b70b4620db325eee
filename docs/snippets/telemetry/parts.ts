import type { Span } from "@opentelemetry/api";
import type { MeterProvider } from "@opentelemetry/sdk-metrics";
import { createTelemetry } from "doomloop/telemetry";

declare const sdk: MeterProvider;
declare const currentSpan: Span;

// #region parts
const telemetry = createTelemetry({ meterProvider: sdk, activeSpan: () => currentSpan });

// #endregion parts

export { telemetry };
