import type { FleetFinding } from "../finding.ts";
import { type Sentence, spanOf, times, toolName } from "./sentence.ts";

/** What other workers found is told in words of its own. */
export const fleet: Sentence<FleetFinding> = {
  says: ({ count, tools, evidence }) =>
    `In the last ${spanOf(evidence.windowMs)}, ${evidence.workers} workers made ${count} calls of ${toolName(tools[0])} like this one, and none of them got anywhere.`,
  advises: () => [
    "Do not make this call again: look for a way that does not need it.",
    "Leave it out for now, and do the rest of the task.",
    "Ask yourself whether the goal can be reached as it is stated, and report it if not.",
  ],
  insists: ({ count }) => `Other workers tried this call ${times(count)}, and none of them got anywhere.`,
};
