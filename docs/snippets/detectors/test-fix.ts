import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "test-fix": { threshold: 4, anyFailure: true } }, // `false` in place of the options switches it off
});
