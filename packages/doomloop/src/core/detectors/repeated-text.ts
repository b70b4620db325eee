import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import type { RepeatedTextOptions } from "../words/word-stream.ts";
import { type Detector, loopIdentity } from "./detector.ts";

/** The same words over and over inside one answer or thought. */
export interface RepeatedTextFinding extends FindingFacts {
  readonly kind: "repeated-text";
  /** Characters in one repetition. */
  readonly period: number;
  readonly evidence: { readonly stream: "text" | "reasoning" };
}

/** Reports chanting inside streamed text or reasoning. What repeats is found while the stream is read; this names it. */
export function repeatedText(options: RepeatedTextOptions = {}): Detector<RepeatedTextFinding, "stream"> {
  const { repetitions = 5, minimumLength = 300 } = options;
  requireInteger("repeated-text: repetitions", repetitions, 2);
  requireInteger("repeated-text: minimumLength", minimumLength, 1);

  return {
    kind: "repeated-text",
    on: "stream",
    inspect({ repeat, stream }) {
      return {
        kind: "repeated-text",
        loop: loopIdentity("repeated-text", String(repeat.identity)),
        steps: [],
        count: repeat.repetitions,
        period: repeat.period,
        isCertain: false,
        confidence: 0.5,
        tools: [],
        evidence: { stream },
      };
    },
  };
}
