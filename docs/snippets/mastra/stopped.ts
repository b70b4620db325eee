import type { Agent } from "@mastra/core/agent";

declare const agent: Agent;

// #region stopped
import { loopStop } from "doomloop/mastra";

export async function answer(prompt: string) {
  const result = await agent.generate(prompt, { maxSteps: 50 });
  const stop = loopStop(result);
  if (stop) return { status: 422, body: { code: stop.status, tool: stop.tool, reason: stop.explanation } };
  return { status: 200, body: result.text };
}
// #endregion stopped
