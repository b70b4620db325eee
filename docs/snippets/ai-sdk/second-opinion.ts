import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel, ToolSet } from "ai";
import { generateText, isStepCount } from "ai";

declare const model: LanguageModel;
declare const prompt: string;
declare const tools: ToolSet;
const openai = createOpenAICompatible({ name: "openai", baseURL: "https://api.openai.com/v1" });

// #region second-opinion
import { guard } from "doomloop/ai-sdk";
import { askModel } from "doomloop/opinion";

const secondOpinion = askModel(openai("gpt-4.1-mini")); // any model of the AI SDK
const result = await generateText({
  model,
  prompt,
  ...guard({ tools, stopWhen: isStepCount(50) }, { secondOpinion }),
});
// #endregion second-opinion

console.log(result.text);
