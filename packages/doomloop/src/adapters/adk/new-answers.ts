import { setRecent } from "../../core/collections/bounded.ts";
import { type Digest, digestOfAll } from "../../core/identity/digest.ts";
import type { EventLike, PartLike } from "./plugin.ts";

/** Counts the new answers that the agents of an invocation give each other: drafts, reviews, findings. */
export interface NewAnswers {
  /** Observes an event. An answer that its agent has not given before in this invocation is new to all its agents. */
  observe(event: EventLike, invocationId: string): void;
  /** The number of new answers in an invocation so far. Call it when an answer begins, so that all earlier ones are complete. */
  countIn(invocationId: string): number;
}

interface Answers {
  readonly known: Set<Digest>;
  /** The latest answer of each agent. In a stream, words before a call are a separate event, so only the call shows that they were no answer. */
  readonly latest: Map<string, Digest>;
  count: number;
}

const MAX_INVOCATIONS = 1000;
const MAX_ANSWERS = 256;

/**
 * Without this, agents that improve a text in several laps, and read the same page for each draft, would seem to loop.
 */
export function createNewAnswers(): NewAnswers {
  const byInvocation = new Map<string, Answers>();

  const answersOf = (invocationId: string): Answers => {
    const answers = byInvocation.get(invocationId) ?? { known: new Set(), latest: new Map(), count: 0 };
    setRecent(byInvocation, invocationId, answers, MAX_INVOCATIONS);
    return answers;
  };

  return {
    observe({ author = "", partial, content }, invocationId) {
      const parts = content?.parts ?? [];
      const text = parts.map(textOf).join("");
      if (partial === true) return;
      if (parts.some(isWork)) answersOf(invocationId).latest.delete(author);
      else if (text !== "") answersOf(invocationId).latest.set(author, digestOfAll(author, text));
    },
    countIn(invocationId) {
      const answers = answersOf(invocationId);
      for (const answer of answers.latest.values()) {
        if (answers.known.has(answer)) continue;
        answers.count++;
        answers.known.add(answer);
        if (answers.known.size > MAX_ANSWERS) answers.known.delete(answers.known.keys().next().value!);
      }
      answers.latest.clear();
      return answers.count;
    },
  };
}

function isWork({ functionCall, functionResponse, executableCode, codeExecutionResult }: PartLike): boolean {
  return (functionCall ?? functionResponse ?? executableCode ?? codeExecutionResult) !== undefined;
}

function textOf({ text = "", thought }: PartLike): string {
  return thought === true ? "" : text;
}
