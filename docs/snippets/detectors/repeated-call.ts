import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "repeated-call": { threshold: 4 } }, // use `false` instead of the options to turn it off
  tools: {
    get_price: { threshold: 6 }, // this tool may be repeated more often
    check_job: { poll: { patienceMs: 1_800_000 } }, // this one polls: allow half an hour
  },
});
