import { createGuard } from "doomloop";

// #region counts
createGuard({
  counts: { repeats: 3, within: 20, cycles: { longest: 5 } },
  ladder: ["nudge", "block", "stop"], // one further each time the loop is seen
});
// #endregion counts
