import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "failure-streak": { threshold: 12 } }, // use `false` instead of the options to turn it off
});
