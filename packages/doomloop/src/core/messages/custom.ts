import type { CustomFinding } from "../custom-detector.ts";
import type { Sentence } from "./sentence.ts";

/** A detector of the host's own has words of its own. */
export const custom: Sentence<CustomFinding> = {
  says: ({ evidence }) => evidence.says,
  advises: ({ evidence }) => evidence.advises,
  insists: ({ evidence }) => `It goes on. ${evidence.says}`,
};
