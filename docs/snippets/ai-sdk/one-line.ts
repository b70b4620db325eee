import type { LanguageModel, ToolSet } from "ai";

declare const model: LanguageModel;
declare const prompt: string;
declare const tools: ToolSet;

// #region one-line
import { generateText, isStepCount } from "ai";
import { guarded } from "doomloop/ai-sdk";

const result = await generateText({
  model,
  prompt,
  ...guarded({ tools, stopWhen: isStepCount(50) }),
});
// #endregion one-line

console.log(result.text);
