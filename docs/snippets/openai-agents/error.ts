import { type Agent, run } from "@openai/agents";

declare const agent: Agent;
declare function escalate(...why: unknown[]): Promise<void>;

// #region error
import { guardAgent, loopStop } from "doomloop/openai-agents";

guardAgent(agent, { exitBehavior: "error" });

try {
  await run(agent, "Fix the login bug.");
} catch (error) {
  const stop = loopStop(error);
  if (!stop) throw error;
  await escalate(stop.explanation);
}
// #endregion error
