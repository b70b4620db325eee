import type { SimilarCallFinding } from "../detectors/similar-call.ts";
import { type Sentence, times, toolName } from "./sentence.ts";

export const similarCallSentence: Sentence<SimilarCallFinding> = {
  says({ tools, count, evidence }) {
    const result =
      evidence.outcome === "blind"
        ? ""
        : evidence.isFailing
          ? ", and each of them failed"
          : ", and the results are the same";
    return `You called ${toolName(tools[0])} ${times(count)} with nearly the same arguments${result}.`;
  },
  advises({ evidence }) {
    if (evidence.isFailing) {
      return [
        "Small variations do not help here. Find out what the call requires before the next attempt.",
        "Use a different tool, or get the missing information first.",
        "If you cannot get further, report what you tried and what you need.",
      ];
    }
    return [
      "Take the result as it is: asking in other words will not change it.",
      "Look somewhere else, or use another tool.",
      "If the information is not there, say so and go on without it.",
    ];
  },
  insists: ({ tools, count, evidence }) =>
    `The last ${count} calls of ${toolName(tools[0])} are one attempt with other arguments, and ${evidence.isFailing ? "none of them worked" : "all of them came to the same"}.`,
};
