import * as ai7 from "ai";
import * as test7 from "ai/test";
import * as ai6 from "ai-v6";
import * as test6 from "ai-v6/test";
import { streamOf } from "../shared/language-model.ts";

/** What the tests use of each major. The driver speaks one language to both; the type tests hold the real ones. */
export interface AiPackage {
  readonly major: 6 | 7;
  generateText(settings: object): Promise<object>;
  streamText(settings: object): { consumeStream(): PromiseLike<void>; readonly steps: PromiseLike<unknown> };
  /** The class whose default limit is more than one step. */
  readonly Agent: new (
    settings: object,
  ) => { generate(call: object): Promise<object> };
  jsonSchema(schema: object): unknown;
  stepCountIs(count: number): ReturnType<typeof ai7.isStepCount>;
  /** Makes a model from what it answers to a request. */
  model(answer: (request: { prompt: unknown }) => Answer): object;
}

/** An answer as parts, in the wording of the newest major. */
export interface Answer {
  readonly content: readonly object[];
  readonly hasCalls: boolean;
}

export const packages: readonly AiPackage[] = [
  {
    ...(ai7 as unknown as AiPackage),
    major: 7,
    Agent: ai7.ToolLoopAgent as never,
    stepCountIs: ai7.isStepCount,
    model: (answer) => new test7.MockLanguageModelV4(behaviour(answer) as never),
  },
  {
    ...(ai6 as unknown as AiPackage),
    major: 6,
    Agent: ai6.ToolLoopAgent as never,
    model: (answer) => new test6.MockLanguageModelV3(behaviour(answer) as never),
  },
];

function behaviour(answer: (request: { prompt: unknown }) => Answer) {
  const usage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } };
  const finishOf = ({ hasCalls }: Answer) => {
    const reason = hasCalls ? "tool-calls" : "stop";
    return { unified: reason, raw: reason };
  };
  return {
    async doGenerate(request: { prompt: unknown }) {
      const given = answer(request);
      return { content: given.content, finishReason: finishOf(given), usage, warnings: [] };
    },
    async doStream(request: { prompt: unknown }) {
      const given = answer(request);
      const finish = { type: "finish", finishReason: finishOf(given), usage };
      return { stream: streamOf(given.content, finish) };
    },
  };
}
