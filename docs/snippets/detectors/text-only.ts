import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "text-only": { threshold: 5, repeatThreshold: 2 } }, // `false` in place of the options switches it off
});
