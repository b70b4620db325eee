import type { Agent } from "@mastra/core/agent";

declare const agent: Agent;

// #region stopped
import type { LoopStop } from "doomloop/mastra";

export async function answer(prompt: string) {
  const { text, tripwire } = await agent.generate(prompt, { maxSteps: 50 });
  if (tripwire?.processorId === "doomloop") {
    const stop = tripwire.metadata as LoopStop; // Mastra types it as unknown
    return { status: 422, body: { code: stop.status, tool: stop.tool, reason: stop.explanation } };
  }
  return { status: 200, body: text };
}
// #endregion stopped
