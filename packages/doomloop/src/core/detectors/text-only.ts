import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import { type Detector, loopIdentity } from "./detector.ts";

/** Answers without tool calls. */
export interface TextOnlyFinding extends FindingFacts {
  readonly kind: "text-only";
  /** The answers say the same thing. */
  readonly evidence: { readonly isRepeating: boolean };
}

/** When answers without a call are reported. */
export interface TextOnlyOptions {
  /**
   * Answers in a row that make a finding, with no call and no user message in between.
   * @default 10
   */
  readonly threshold?: number;
  /**
   * The threshold if the answers repeat each other.
   * @default 3
   */
  readonly repeatThreshold?: number;
}

/** Reports an agent that talks instead of acting: summaries, announcements, apologies. */
export function textOnly(options: TextOnlyOptions = {}): Detector<TextOnlyFinding, "answer"> {
  const { threshold = 10, repeatThreshold = 3 } = options;
  requireInteger("text-only: threshold", threshold, 2);
  requireInteger("text-only: repeatThreshold", repeatThreshold, 2);

  return {
    kind: "text-only",
    on: "answer",
    inspect(_answer, run) {
      const { count = 0, repeats = 0 } = run.answers ?? {};
      const isRepeating = repeats + 1 >= repeatThreshold;
      if (count < threshold && !isRepeating) return;
      return {
        kind: "text-only",
        loop: loopIdentity("text-only"),
        steps: [],
        count,
        isCertain: false,
        confidence: 0.5,
        tools: [],
        evidence: { isRepeating },
      };
    },
  };
}
