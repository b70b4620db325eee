import type { FleetFinding, OpinionFinding } from "../finding.ts";
import { callsOf, type Sentence, spanOf, times, toolName } from "./sentence.ts";

/** What other workers found is told in words of its own. */
export const fleet: Sentence<FleetFinding> = {
  says: ({ count, tools, evidence }) =>
    `In the last ${spanOf(evidence.windowMs)}, ${workersOf(evidence)} made ${count} calls to ${toolName(tools[0])} like this one. Each call failed or returned nothing new.`,
  fact: ({ count, tools, evidence }) =>
    `in the last ${spanOf(evidence.windowMs)}, ${workersOf(evidence)} made ${count} such ${callsOf(tools[0])}: all failed or showed nothing new`,
  advises: () => "Does the goal need this call? If so, do the rest first. If not, find another way.",
  corrects: () => "Do the rest of the task, or report what you got.",
};

/** "4 workers", or "4 processes" where only those can be counted. */
function workersOf({ workers, counted }: FleetFinding["evidence"]): string {
  return counted === "processes" ? `${workers} processes` : `${workers} workers`;
}

/** Somebody else has looked at the run: only that is said, not what they think. */
export const opinion: Sentence<OpinionFinding> = {
  says: ({ count }) => `Your last ${callCount(count)} brought no progress, says a review of them.`,
  fact: ({ count }) => `a review saw no progress in your last ${callCount(count)}`,
  advises: () => "Name what you still need, and get it in another way: another tool, another source, another input.",
  corrects: () => "Try one step of another kind. If there is none, report what is missing.",
};

function callCount(count: number): string {
  return times(count).replace("time", "call");
}
