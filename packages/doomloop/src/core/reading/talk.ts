import type { RepeatedTextFinding, TextOnlyFinding } from "../finding.ts";
import { loopIdentity } from "../identity/digest.ts";
import { SCHEDULE_MS } from "../numbers.ts";
import { createWordStream, hashOf, type TextRepeat } from "./word-stream.ts";

/** Answers without a call, since the agent last acted or the user last spoke. Plain data, without the words themselves. */
export interface Answers {
  readonly count: number;
  /** How many of them repeat an earlier one. */
  readonly repeats: number;
  /** When the latest one ended, if that is known. */
  readonly at: number | undefined;
  /** The hashes of the latest ones. */
  readonly said: readonly number[];
}

/** Worth of an answer without a call, and of one repetition inside a stream. An answer that repeats an earlier one is a plain repeat. */
const ANSWER = 0.22;
const REPETITION = 0.35;
const CONFIDENCE = 0.5;
const MAX_REMEMBERED = 8;

/** An answer without words, or one whose words nobody passes on. */
const WORDLESS = hashOf(createWordStream());

/** Adds an answer that ended at this time. An agent that answers every five minutes or less often keeps a schedule, and starts anew each time. */
export function withAnswer(answers: Answers | undefined, hash: number, at: number | undefined): Answers {
  const pauseMs = at === undefined || answers?.at === undefined ? 0 : at - answers.at;
  if (answers === undefined || pauseMs >= SCHEDULE_MS) return { count: 1, repeats: 0, at, said: [hash] };
  const isKnown = answers.said.includes(hash);
  return {
    count: answers.count + 1,
    repeats: answers.repeats + (isKnown ? 1 : 0),
    at: at ?? answers.at,
    said: isKnown ? answers.said : [...answers.said, hash].slice(-MAX_REMEMBERED),
  };
}

/** Words without work, as a finding. */
export function answersAsFinding({ count, repeats, said }: Answers): TextOnlyFinding {
  return {
    kind: "text-only",
    loop: loopIdentity("text-only"),
    steps: [],
    count,
    weight: Math.round(100 * (1 + Math.max(repeats, ANSWER * (count - 1)))) / 100,
    confidence: CONFIDENCE,
    tools: [],
    evidence: { isRepeating: repeats >= ANSWER * (count - 1) && said.some((hash) => hash !== WORDLESS) },
  };
}

/** Words that repeat themselves inside one stream, as a finding. */
export function streamAsFinding(stream: "text" | "reasoning", repeat: TextRepeat): RepeatedTextFinding {
  return {
    kind: "repeated-text",
    loop: loopIdentity("repeated-text", String(repeat.identity)),
    steps: [],
    count: repeat.repetitions,
    weight: 1 + Math.max(2, Math.round(100 * REPETITION * repeat.repetitions) / 100),
    confidence: CONFIDENCE,
    tools: [],
    period: repeat.period,
    evidence: { stream },
  };
}
