import { type Agent, MaxTurnsExceededError, run } from "@openai/agents";
import { guard, loopStop } from "doomloop/openai-agents";

export async function withLimit(agent: Agent, prompt: string): Promise<string | undefined> {
  // #region before
  try {
    const result = await run(agent, prompt, { maxTurns: 30 });
    return result.finalOutput;
  } catch (error) {
    if (error instanceof MaxTurnsExceededError) return "It took too long."; // a loop, or a long task?
    throw error;
  }
  // #endregion before
}

export async function withGuard(agent: Agent, prompt: string): Promise<string | undefined> {
  // #region after
  const result = await run(guard(agent), prompt, { maxTurns: 30 });
  const stop = loopStop(result);
  return stop === undefined ? result.finalOutput : `It went in circles: ${stop.explanation}`;
  // #endregion after
}
