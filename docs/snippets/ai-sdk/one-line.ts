import type { LanguageModel, ToolSet } from "ai";

declare const model: LanguageModel;
declare const prompt: string;
declare const tools: ToolSet;

// #region one-line
import { generateText, isStepCount } from "ai";
import { guard, loopStop } from "doomloop/ai-sdk";

const result = await generateText({
  model,
  prompt,
  ...guard({ tools, stopWhen: isStepCount(50) }),
});
const stop = loopStop(result);
console.log(stop ? stop.explanation : result.text);
// #endregion one-line
