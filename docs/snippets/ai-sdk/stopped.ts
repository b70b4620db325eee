import type { LanguageModel, ToolSet } from "ai";

declare const model: LanguageModel;
declare const tools: ToolSet;

// #region stopped
import { isStepCount, ToolLoopAgent } from "ai";
import { guarded, loopStop } from "doomloop/ai-sdk";

const agent = new ToolLoopAgent({ model, ...guarded({ tools, stopWhen: isStepCount(50) }) });

export async function answer(prompt: string) {
  const result = await agent.generate({ prompt });
  const stop = loopStop(result);
  if (stop) return { status: 422, body: { code: stop.status, reason: stop.explanation } };
  return { status: 200, body: result.text };
}
// #endregion stopped
