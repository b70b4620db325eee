/** What checkpoints are labelled with that a hook makes, at a prompt and when it tells the agent of a loop. */
export const PROMPT_LABEL = "when the user spoke to the agent";
export const LOOP_LABEL = "when the agent was told that it goes in circles";
