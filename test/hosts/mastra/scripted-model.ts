import { MockLanguageModelV3 } from "ai/test";
import { answerParts, type PromptMessage, readPrompt, streamOf } from "../shared/language-model.ts";
import { nextAnswer } from "../shared/scripts.ts";

const usage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } };

/** A model that answers from the script of the run that is going on. */
export function scriptedModel() {
  return new MockLanguageModelV3({
    async doGenerate(request: object) {
      const { content, finishReason } = next(request);
      return { content, finishReason, usage, warnings: [] };
    },
    async doStream(request: object) {
      const { content, finishReason } = next(request);
      return { stream: streamOf(content, { type: "finish", finishReason, usage }) };
    },
  } as never);
}

function next(request: object) {
  const { prompt, tools } = request as { prompt: PromptMessage[]; tools?: unknown };
  const answer = nextAnswer({ raw: withoutClock({ prompt, tools }), messages: readPrompt(prompt) });
  const reason = (answer.calls ?? []).length > 0 ? "tool-calls" : "stop";
  return { content: answerParts(answer), finishReason: { unified: reason, raw: reason } };
}

const CLOCKS = ["createdAt", "timestamp", "messageId", "runId", "traceId", "spanId", "startedAt", "endedAt"];

/** A copy without what is the clock's or random. */
export function withoutClock<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, (key, inner) => (CLOCKS.includes(key) ? undefined : inner)) ?? "null");
}
