import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "failure-streak": { threshold: 12 } }, // `false` in place of the options switches it off
});
