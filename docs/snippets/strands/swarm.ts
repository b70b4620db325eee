import type { Agent } from "@strands-agents/sdk";

declare const researcher: Agent;
declare const writer: Agent;

// #region swarm
import * as strands from "@strands-agents/sdk";
import * as multiagent from "@strands-agents/sdk/multiagent";
import { guard } from "doomloop/strands";

const classes = { ...strands, ...multiagent };
const swarm = new strands.Swarm(guard({ nodes: [researcher, writer] }, { strands: classes }));

// #endregion swarm

export { swarm };
