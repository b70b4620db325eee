import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "same-outcome": { threshold: 6, nothingThreshold: 8 } }, // `false` in place of the options switches it off
});
