import type { Agent } from "@strands-agents/sdk";

declare const agent: Agent;
declare function escalate(...why: unknown[]): Promise<void>;

// #region stopped
import { loopStop } from "doomloop/strands";

const result = await agent.invoke("Fix the login bug.");
const stop = loopStop(result);
if (stop) await escalate(stop.explanation, stop.tool, stop.count);
// #endregion stopped
