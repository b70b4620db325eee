import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "test-fix": { threshold: 4, anyFailure: true } }, // use `false` instead of the options to turn it off
});
