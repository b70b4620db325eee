import { MockLanguageModelV4 } from "ai/test";
import { answerAt, type HostRequest, type ScriptedAnswer } from "../../contracts/adapter-driver.ts";
import { answerParts, type PromptMessage, readPrompt, streamOf } from "../shared/language-model.ts";

/** A model that says what is in a script, and notes what it was asked. */
export function scripted(script: readonly ScriptedAnswer[]) {
  const requests: HostRequest[] = [];
  const doStream = async ({ prompt, tools }: { prompt: unknown; tools?: unknown }) => {
    const raw = structuredClone({ prompt, tools });
    requests.push({ raw, messages: readPrompt(raw.prompt as PromptMessage[]) });
    return { stream: answerStream(answerAt(script, requests.length - 1)) };
  };
  return { model: new MockLanguageModelV4({ doStream: doStream as never }), requests };
}

/** An answer of a model of major 7, as a stream. */
export function answerStream(answer: ScriptedAnswer): never {
  const reason = answer.calls === undefined ? "stop" : "tool-calls";
  const usage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } };
  const finish = { type: "finish", finishReason: { unified: reason, raw: reason }, usage };
  return streamOf(answerParts(answer), finish) as never;
}
