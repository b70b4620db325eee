import type { FailureStreakFinding } from "../detectors/failure-streak.ts";
import { type Sentence, toolName } from "./sentence.ts";

export const failureStreakSentence: Sentence<FailureStreakFinding> = {
  says: ({ tools, count }) => `The last ${count} calls of ${toolName(tools[0])} failed, one after the other.`,
  advises({ evidence }) {
    if (evidence.isFileWork) {
      return [
        "Use the file tools for this (read, write, edit) instead of shell commands such as cat, echo and sed.",
        "Check one assumption at a time: where you are, what is there, what is allowed.",
        "If you are blocked, say what blocks you.",
      ];
    }
    return [
      "Stop and make one small call that is sure to work, then build on it.",
      "Check what the failures assume: the working directory, the program's name, its options, its version.",
      "If you are blocked, say what blocks you.",
    ];
  },
  insists: ({ count }) => `None of the last ${count} calls worked, and each was another attempt on the same ground.`,
};
