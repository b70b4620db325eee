import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: {
    "test-fix": { threshold: 8 }, // speak up at the eighth failing run
    "text-only": false, // turned off
    "repeated-text": { repetitions: 8, minimumLength: 500 },
  },
  rules: { get_price: { threshold: 6 } }, // this tool may be repeated more often
});
