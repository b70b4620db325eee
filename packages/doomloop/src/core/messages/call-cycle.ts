import type { CallCycleFinding } from "../detectors/call-cycle.ts";
import { type Sentence, times, toolName, WAIT_ONCE } from "./sentence.ts";

const MAX_LISTED = 6;

export const callCycleSentence: Sentence<CallCycleFinding> = {
  says({ count, period, evidence }) {
    const listed = evidence.sequence.slice(0, MAX_LISTED).map((tool, at) => `\n  ${at + 1}. ${toolName(tool)}`);
    return `You repeated the same sequence of ${period} calls ${times(count)}${evidence.outcome === "blind" ? "" : " with the same results"}:${listed.join("")}`;
  },
  advises({ evidence }) {
    if (evidence.isWaiting) return WAIT_ONCE;
    return [
      "Re-read the results: what do they tell you that you have not used?",
      "Decide for one of the approaches that you go back and forth between, or take a third.",
      "Break the problem into smaller steps and check each one by itself.",
    ];
  },
  insists: ({ count, period }) =>
    `You are where you were ${period} calls ago, and ${2 * period} calls ago. No result differs after ${count} rounds.`,
  insistsOn: ({ evidence }) => (evidence.isWaiting ? WAIT_ONCE : undefined),
};
