import type { SameOutcomeFinding } from "../detectors/same-outcome.ts";
import { type Sentence, times, toolName } from "./sentence.ts";

export const sameOutcomeSentence: Sentence<SameOutcomeFinding> = {
  says({ tools, count, evidence }) {
    if (evidence.isFailing)
      return `Different attempts failed in the same way ${times(count)}, last with ${toolName(tools[0])}.`;
    return `You asked ${toolName(tools[0])} ${times(count)} in different ways and got one and the same answer.`;
  },
  advises({ evidence }) {
    if (evidence.isFailing) {
      return [
        "The attempts differ, the cause does not. Name the cause before you try again.",
        "Check what all attempts have in common: a path, a permission, a missing program, a wrong assumption.",
        "If the cause is out of your reach, report it.",
      ];
    }
    return [
      "The answer does not depend on what you ask. Look at what it says.",
      "Use another source, or another tool.",
      "If there is nothing to find, say so and go on.",
    ];
  },
  insists: ({ tools, count, evidence }) =>
    evidence.isFailing
      ? `That makes ${count} attempts with one and the same failure, and nothing was changed that could mend it.`
      : `${toolName(tools[0])} has told you the same ${times(count)}, whatever you asked.`,
};
