import type { FleetFinding } from "../finding.ts";
import { type Sentence, times, toolName } from "./sentence.ts";

export const fleetSentence: Sentence<FleetFinding> = {
  says: ({ count, tools, evidence }) =>
    `${count} calls of ${toolName(tools[0])} like this one by ${evidence.workers} workers in the last ${spanOf(evidence.windowMs)} led nowhere: the whole swarm is stuck on it.`,
  advises: () => [
    "Look for a way that does not go through this call at all.",
    "Leave it out for now: the same call will not fare better for you.",
    "Ask yourself whether the goal is reachable as it is stated, and report it if not.",
  ],
  insists: ({ count }) => `The others have given up on this call: ${times(count)}, and not one of them got anywhere.`,
};

function spanOf(spanMs: number): string {
  const seconds = Math.max(1, Math.round(spanMs / 1000));
  if (seconds < 60) return seconds === 1 ? "second" : `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes === 1 ? "minute" : `${minutes} minutes`;
}
