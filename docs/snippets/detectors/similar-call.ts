import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "similar-call": { threshold: 6, similarity: 0.8 } }, // use `false` instead of the options to turn it off
  tools: { open_page: { identity: ["url"] } }, // or say which arguments make two calls the same
});
