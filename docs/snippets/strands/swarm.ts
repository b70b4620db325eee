import type { Agent } from "@strands-agents/sdk";

declare const researcher: Agent;
declare const writer: Agent;

// #region swarm
import * as strands from "@strands-agents/sdk";
import * as multiagent from "@strands-agents/sdk/multiagent";
import { loopGuard } from "doomloop/strands";

const guard = loopGuard({ ...strands, ...multiagent });
const swarm = new strands.Swarm({ nodes: [researcher, writer], plugins: [guard] });

// #endregion swarm

export { swarm };
