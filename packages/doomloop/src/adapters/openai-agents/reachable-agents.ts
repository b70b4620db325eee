import type { AgentLike } from "./agent.ts";

/** The agent and all that a run of it can be handed to. A handoff is an agent, or has one. */
export function reachableAgents(agent: AgentLike): AgentLike[] {
  const agents = new Set<AgentLike>([agent]);
  for (const reached of agents) {
    for (const handoff of reached.handoffs) {
      const next = "agent" in handoff ? handoff.agent : handoff;
      if (typeof next === "object" && next !== null && "getAllTools" in next) agents.add(next as AgentLike);
    }
  }
  return [...agents];
}
