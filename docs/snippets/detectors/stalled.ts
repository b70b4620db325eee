import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { stalled: { threshold: 7 } }, // use `false` instead of the options to turn it off
});
