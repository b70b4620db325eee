import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "text-only": { threshold: 5, repeatThreshold: 2 } }, // use `false` instead of the options to turn it off
});
