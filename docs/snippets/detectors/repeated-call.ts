import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "repeated-call": { threshold: 4 } }, // `false` in place of the options switches it off
  tools: {
    get_price: { threshold: 6 }, // one tool that may repeat itself longer
    check_job: { poll: { patienceMs: 1_800_000 } }, // one that waits: half an hour of patience
  },
});
