import type { RepeatedTextFinding } from "../detectors/repeated-text.ts";
import { type Sentence, times } from "./sentence.ts";

export const repeatedTextSentence: Sentence<RepeatedTextFinding> = {
  says: ({ count, period, evidence }) =>
    `Your ${evidence.stream === "reasoning" ? "reasoning" : "answer"} repeated the same ${period} characters ${times(count)}.`,
  advises: () => [
    "Stop repeating it and go on from there.",
    "Take one concrete action, or end with what you have.",
    "If you are unsure, say what you are unsure about.",
  ],
  insists: ({ count }) =>
    `The same words again, ${times(count)} by now: nobody learns anything from them, and nothing is done.`,
};
