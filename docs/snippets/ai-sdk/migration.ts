import type { LanguageModel, ToolSet } from "ai";
import { generateText, isStepCount } from "ai";
import { guard, loopStop } from "doomloop/ai-sdk";

export async function withLimit(model: LanguageModel, prompt: string, tools: ToolSet): Promise<string> {
  // #region before
  const result = await generateText({ model, prompt, tools, stopWhen: isStepCount(50) });
  return result.text; // did it finish, or did it run into the limit?
  // #endregion before
}

export async function withGuard(model: LanguageModel, prompt: string, tools: ToolSet): Promise<string> {
  // #region after
  const result = await generateText({ model, prompt, ...guard({ tools, stopWhen: isStepCount(50) }) });
  const stop = loopStop(result);
  return stop === undefined ? result.text : stop.explanation;
  // #endregion after
}
