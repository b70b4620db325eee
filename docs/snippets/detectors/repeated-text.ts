import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "repeated-text": { repetitions: 8, minimumLength: 600 } }, // use `false` instead of the options to turn it off
});
