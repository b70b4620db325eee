import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "same-outcome": { threshold: 6, nothingThreshold: 8 } }, // use `false` instead of the options to turn it off
});
