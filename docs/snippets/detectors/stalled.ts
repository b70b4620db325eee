import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { stalled: { threshold: 7 } }, // `false` in place of the options switches it off
});
