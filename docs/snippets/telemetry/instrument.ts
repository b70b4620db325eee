// #region instrument
import { metrics, trace } from "@opentelemetry/api";
import { createGuard } from "doomloop";
import { createTelemetry } from "doomloop/telemetry";

const telemetry = createTelemetry({ metrics, trace }); // once per process

const guard = telemetry.instrument(createGuard()); // for each run

// #endregion instrument

export { guard };
