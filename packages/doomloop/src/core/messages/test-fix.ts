import type { TestFixFinding } from "../detectors/test-fix.ts";
import { type Sentence, times } from "./sentence.ts";

export const testFixSentence: Sentence<TestFixFinding> = {
  says: ({ count, evidence }) =>
    `The same check failed ${times(count)} in a row, and the changes in between did not make it better${
      evidence.failing === undefined ? "" : ` (${evidence.failing} failing)`
    }.`,
  advises: () => [
    "Step back and read the whole error message again, from the first line that is yours.",
    "Ask whether the approach itself is wrong, or whether the change takes effect at all.",
    "Form another hypothesis and test it by itself before the next change.",
  ],
  insists: ({ count }) => `After ${count} changes the check still fails as it did before the first of them.`,
};
