import { type Agent, run } from "@openai/agents";

declare const agent: Agent;
declare function escalate(...why: unknown[]): Promise<void>;

// #region stopped
import { loopStop } from "doomloop/openai-agents";

const result = await run(agent, "Fix the login bug.");
const stop = loopStop(result);
if (stop) await escalate(stop.explanation, stop.tool, stop.count);
// #endregion stopped
