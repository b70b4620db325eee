import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "repeated-text": { repetitions: 8, minimumLength: 600 } }, // `false` in place of the options switches it off
});
