import type { Question } from "../core/question.ts";
import type { AgentEvent } from "../index.ts";
import { excerptOf } from "./excerpt.ts";
import { OPINION_SYSTEM, opinionMessage } from "./prompt.ts";
import { createRunRecord } from "./run-record.ts";
import type { ExcerptKind } from "./show-text.ts";

/** What your model is asked. */
export interface OpinionRequest {
  /** The same for every question, so that your provider can cache it. */
  readonly system: string;
  /** The excerpt. It holds foreign text, fenced and masked; with `shows: "shapes"`, none. */
  readonly message: string;
  /** The most tokens that an answer needs. A model that thinks first needs more. */
  readonly maxTokens: number;
  readonly question: Question;
}

const MAX_TOKENS = 2_000;

/** Follows one run, so that its questions can be put to another model. */
export function createOpinionRequests(shows: ExcerptKind) {
  const record = createRunRecord();
  return {
    /** Must get each event before the guard does. */
    take: (event: AgentEvent): void => record.take(event),
    /** What the user asked for, from a host that tells it again with every request. */
    hear: (text: string): void => record.hear(text),
    /** What to ask about the event that came last. Undefined if too little of what the question is about was seen here. */
    requestFor(question: Question): OpinionRequest | undefined {
      record.alignTo(question.latest);
      if (!record.covers(question.since)) return undefined;
      const message = opinionMessage(question.why, excerptOf(record, question, shows), randomMark());
      return { system: OPINION_SYSTEM, message, maxTokens: MAX_TOKENS, question };
    },
  };
}

/** A word that no text can have foreseen. */
function randomMark(): string {
  return crypto.getRandomValues(new Uint32Array(3)).join("-");
}
