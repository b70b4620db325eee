import { createGuard } from "doomloop";

// #region messages
createGuard({
  messages: {
    nudge: ({ finding }) => `You have done this ${finding.count} times. Ask the customer before you try again.`,
  },
});
// #endregion messages
