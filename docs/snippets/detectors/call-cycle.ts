import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "call-cycle": { laps: 3, maxPeriod: 8 } }, // use `false` instead of the options to turn it off
});
