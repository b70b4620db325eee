import type { TestFixFinding } from "../detectors/test-fix.ts";
import { type Sentence, times } from "./sentence.ts";

export const testFixSentence: Sentence<TestFixFinding> = {
  says: ({ count, evidence }) =>
    `The same check failed ${times(count)} in a row and your changes did not make it better${
      evidence.failing === undefined ? "" : ` (${evidence.failing} failing)`
    }.`,
  advises: () => [
    "Step back and read the whole error message again, from the first line that is yours.",
    "Ask whether the approach itself is wrong, or whether the change takes effect at all.",
    "Try a different fix, not another variation of the same one.",
  ],
};
