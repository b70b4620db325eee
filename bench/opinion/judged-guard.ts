import { createHash } from "node:crypto";
import type { OpinionVerdict } from "../../packages/doomloop/src/core/question.ts";
import { MOST_QUESTIONS } from "../../packages/doomloop/src/core/question.ts";
import { createConfiguredGuard } from "../../packages/doomloop/src/counting/configured-guard.ts";
import type { Question } from "../../packages/doomloop/src/index.ts";
import { excerptOf } from "../../packages/doomloop/src/opinion/excerpt.ts";
import { opinionMessage } from "../../packages/doomloop/src/opinion/prompt.ts";
import { createRunRecord } from "../../packages/doomloop/src/opinion/run-record.ts";
import { platform } from "../../packages/doomloop/src/platform.ts";
import type { CreateGuard } from "../quality/guard.ts";

/** What somebody said about an excerpt. The key is a digest of what had happened until then, and of why it was asked. */
export interface RecordedVerdict {
  readonly key: string;
  readonly verdict: OpinionVerdict;
  readonly since?: number | undefined;
}

/** A question that nobody has answered yet. */
export interface OpenQuestion {
  readonly key: string;
  readonly why: Question["why"];
  readonly message: string;
}

/** What is asked while runs are replayed, and what came of it. */
export interface Hearing {
  readonly verdicts: ReadonlyMap<string, RecordedVerdict>;
  /** Said about everything else. */
  readonly always: OpinionVerdict | undefined;
  /** Questions without a verdict, by key. */
  readonly open: Map<string, OpenQuestion>;
  readonly lengths: number[];
  asked: number;
  readonly reasons: Partial<Record<Question["why"], number>>;
  calls: number;
}

export function createHearing(verdicts: readonly RecordedVerdict[], always?: OpinionVerdict): Hearing {
  return {
    verdicts: new Map(verdicts.map((verdict) => [verdict.key, verdict])),
    always,
    open: new Map(),
    lengths: [],
    asked: 0,
    reasons: {},
    calls: 0,
  };
}

/** Where the mark stands in a message that is written down. The real one differs each time. */
const MARK = "0";

/** Guards that ask, and are answered from what was written down, before the next event. */
export function judgedBy(hearing: Hearing): CreateGuard {
  return (options) => {
    const guard = createConfiguredGuard({ ...options, questions: MOST_QUESTIONS }, platform);
    const record = createRunRecord();
    const happened = createHash("sha256");

    const answer = (question: Question): void => {
      const message = opinionMessage(question.why, excerptOf(record, question, "text"), MARK);
      const key = happened.copy().update(question.why).digest("hex").slice(0, 16);
      hearing.asked++;
      hearing.reasons[question.why] = (hearing.reasons[question.why] ?? 0) + 1;
      hearing.lengths.push(message.length);
      const known = hearing.verdicts.get(key);
      if (known === undefined) hearing.open.set(key, { key, why: question.why, message });
      const { verdict = hearing.always, since } = known ?? {};
      if (verdict !== undefined) guard.observe({ type: "opinion", question: question.id, verdict, since });
    };

    return {
      observe(event) {
        record.take(event);
        happened.update(JSON.stringify(event));
        if (event.type === "call") hearing.calls++;
        const decision = guard.observe(event);
        if (decision.question !== undefined) answer(decision.question);
        return decision;
      },
      stats: () => guard.stats(),
    };
  };
}
