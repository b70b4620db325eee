import type { FleetFinding, OpinionFinding } from "../finding.ts";
import { type Sentence, spanOf, TELL_WHY, times, toolName } from "./sentence.ts";

/** What other workers found is told in words of its own. */
export const fleet: Sentence<FleetFinding> = {
  says: ({ count, tools, evidence }) =>
    `In the last ${spanOf(evidence.windowMs)}, ${evidence.workers} workers made ${count} calls to ${toolName(tools[0])} like this one. Each call failed or returned nothing new.`,
  advises: () => [
    "Find a way without this call.",
    "Do not make it again now. Do the rest first.",
    "If the goal needs it, tell the user what you got.",
  ],
  insists: ({ count }) => `Other workers made this call ${times(count)}. Each call failed or returned nothing new.`,
  corrects: () => ["Do not make this call again.", "Do the rest of the task.", TELL_WHY],
  goesOn: () => "keep making this call",
};

/** Somebody else has looked at the run: only that is said, not what they think. */
export const opinion: Sentence<OpinionFinding> = {
  says: ({ count }) => `Your last ${times(count).replace("time", "call")} brought no progress, says a review of them.`,
  advises: () => [
    "Name what you still need.",
    "Get it in another way: another tool, another source, another input.",
    "If there is no other way, tell the user what is missing.",
  ],
  insists: ({ count }) =>
    `Your last ${times(count).replace("time", "call")} brought no progress either, says another review.`,
  corrects: () => ["Do not go on like this.", "Try one step of another kind.", TELL_WHY],
  goesOn: () => "go on like this",
};
