import type { LanguageModel, ToolSet } from "ai";

declare const model: LanguageModel;
declare const prompt: string;
declare const tools: ToolSet;

// #region guarded
import { generateText, isStepCount } from "ai";
import { guard, loopStop } from "doomloop/ai-sdk";

const result = await generateText({ model, prompt, ...guard({ tools, stopWhen: isStepCount(30) }) });
const stop = loopStop(result);
if (stop !== undefined) console.error(stop.explanation);
// #endregion guarded
