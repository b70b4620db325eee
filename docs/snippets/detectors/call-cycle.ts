import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "call-cycle": { laps: 3, maxPeriod: 8 } }, // `false` in place of the options switches it off
});
