import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { MockLanguageModelV4 } from "ai/test";
import { MockLanguageModelV3 } from "ai-v6/test";
import { type AiSdkOptions, guard } from "doomloop/ai-sdk";
import { askModel, type SecondOpinion } from "doomloop/opinion";
import { expectTypeOf } from "vitest";

/** A model of every major fits, and so does what comes of it. */
export function takesModels(): void {
  const model = createOpenAICompatible({ name: "judge", baseURL: "http://127.0.0.1" }).chatModel("judge-1");
  expectTypeOf(askModel(model)).toEqualTypeOf<SecondOpinion>();
  expectTypeOf(askModel(model, { shows: "shapes", questions: 3, timeoutMs: 1_000 })).toEqualTypeOf<SecondOpinion>();
  askModel(new MockLanguageModelV4());
  askModel(new MockLanguageModelV3());
  expectTypeOf<SecondOpinion>().toExtend<AiSdkOptions["secondOpinion"]>();
  guard({ tools: {} }, { secondOpinion: askModel(model) });
  // @ts-expect-error: the name of a model is not a model.
  askModel("openai/gpt-5-mini");
  // @ts-expect-error: a model has its name already.
  askModel(model, "judge-1");
}
