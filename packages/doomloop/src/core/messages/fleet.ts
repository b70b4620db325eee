import type { FleetFinding } from "../finding.ts";
import { type Sentence, toolName } from "./sentence.ts";

export const fleetSentence: Sentence<FleetFinding> = {
  says: ({ count, tools, evidence }) =>
    `${count} calls of ${toolName(tools[0])} like this one by ${evidence.workers} workers in the last ${Math.max(
      1,
      Math.round(evidence.windowMs / 60_000),
    )} minutes got none of them further.`,
  advises: () => [
    "Try a fundamentally different strategy.",
    "Do not retry the same tool with the same parameters.",
    "Consider whether the goal itself needs to be looked at again.",
  ],
};
