import type { NoProgressFinding } from "../detectors/no-progress.ts";
import { type Sentence, toolNames } from "./sentence.ts";

export const noProgressSentence: Sentence<NoProgressFinding> = {
  says: ({ count, tools }) =>
    `Nothing new came of the last ${count} rounds: only calls and results that were there before (${toolNames(tools)}).`,
  advises: ({ evidence }) => [
    "Write down what you know by now, and what is still missing.",
    evidence.isPage
      ? "Leave this page: go to it another way, or look for the information elsewhere."
      : "Do something that you have not done yet, or make the change that you have been preparing.",
    "If there is nothing left to try, report what you have.",
  ],
};
