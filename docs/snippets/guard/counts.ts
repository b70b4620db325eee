// #region counts
import { createCountingGuard } from "doomloop/counting";

createCountingGuard(
  { repeats: 3, within: 20, cycles: { longest: 5 } },
  { ladder: ["nudge", "block", "stop"] }, // one further each time the loop is seen
);
// #endregion counts
