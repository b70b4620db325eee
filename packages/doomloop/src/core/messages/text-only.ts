import type { TextOnlyFinding } from "../detectors/text-only.ts";
import type { Sentence } from "./sentence.ts";

export const textOnlySentence: Sentence<TextOnlyFinding> = {
  says: ({ count, evidence }) =>
    evidence.isRepeating
      ? `You gave the same answer again without doing anything (${count} answers without a tool call).`
      : `You gave ${count} answers in a row without a tool call.`,
  advises: () => [
    "Pick the next open task and begin it now, with a tool call.",
    "If everything is done, say so once and end.",
    "If you need something from the user, ask one clear question.",
  ],
  insists: ({ count }) => `That was answer ${count} in a row, and still nothing has been done.`,
};
