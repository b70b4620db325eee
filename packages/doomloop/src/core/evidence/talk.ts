import type { Finding, RepeatedTextFinding, TextOnlyFinding } from "../finding.ts";
import { loopIdentity } from "../identity/digest.ts";
import { type Answers, addAnswer, createAnswers } from "../memory/run-state.ts";
import { createWordStream, hashOf, type TextRepeat } from "../memory/word-stream.ts";
import { SCHEDULE_MS } from "./numbers.ts";

/** Worth of an answer without a call, and of one repetition inside a stream. An answer that repeats an earlier one is a plain repeat. */
const ANSWER = 0.22;
const REPETITION = 0.35;
const CONFIDENCE = 0.5;

/** An answer without words, or one whose words nobody passes on. */
const WORDLESS = hashOf(createWordStream());

/** Words without work, as a finding. */
export function answersAsFinding({ count, repeats, said }: Answers): TextOnlyFinding {
  return {
    kind: "text-only",
    loop: loopIdentity("text-only"),
    steps: [],
    count,
    weight: Math.round(100 * Math.max(repeats, ANSWER * (count - 1))) / 100,
    confidence: CONFIDENCE,
    tools: [],
    evidence: { isRepeating: repeats >= ANSWER * (count - 1) && said.some((hash) => hash !== WORDLESS) },
  };
}

/** Adds an answer that ended at this time. Who answers every five minutes or less often keeps a schedule, and starts anew each time. */
export function withAnswer(answers: Answers | undefined, hash: number, at: number | undefined): Answers {
  const pauseMs = at === undefined || answers?.at === undefined ? 0 : at - answers.at;
  const next = answers === undefined || pauseMs >= SCHEDULE_MS ? createAnswers() : answers;
  addAnswer(next, hash);
  next.at = at ?? next.at;
  return next;
}

/** Words that repeat themselves inside one stream, as a finding. */
export function streamAsFinding(stream: "text" | "reasoning", repeat: TextRepeat): RepeatedTextFinding {
  return {
    kind: "repeated-text",
    loop: loopIdentity("repeated-text", String(repeat.identity)),
    steps: [],
    count: repeat.repetitions,
    weight: Math.max(2, Math.round(100 * REPETITION * repeat.repetitions) / 100),
    confidence: CONFIDENCE,
    tools: [],
    period: repeat.period,
    evidence: { stream },
  };
}

/** How often talk was at the level of words, was told, and when it is told next. Plain data. */
export type Talk = ReturnType<typeof createTalk>;

export function createTalk() {
  return { loop: "", told: 0, nextAt: 0 };
}

/** Whether words about talk are due: at once, and then at growing distances. */
export function isTalkDue(talk: Talk, { loop, weight }: Finding): boolean {
  if (talk.loop !== loop) Object.assign(talk, { loop, told: 0, nextAt: 0 });
  if (weight < talk.nextAt) return false;
  talk.told++;
  talk.nextAt = weight + 2 ** talk.told;
  return true;
}
