import type { StalledFinding } from "../detectors/stalled.ts";
import { type Sentence, times, toolName } from "./sentence.ts";

export const stalledSentence: Sentence<StalledFinding> = {
  says: ({ tools, count, evidence }) =>
    `You asked ${toolName(tools[0])} ${times(count)} for one thing in other words, and ${
      evidence.isEmpty ? "none of it found anything" : "none of it told anything new"
    }.`,
  advises: () => [
    "Take it as the answer: it is not there, or not under that name.",
    "Look in another place, or begin from what is known to exist.",
    "If you cannot go on without it, say what is missing.",
  ],
  insists: ({ count, tools }) =>
    `${count} wordings of one question to ${toolName(tools[0])} are enough to know: it has no other answer.`,
};
