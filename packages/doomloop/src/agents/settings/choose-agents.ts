import { statSync } from "node:fs";
import { UsageError } from "../../system/usage-error.ts";
import { AGENT_WIRINGS } from "../wirings.ts";
import type { AgentPlace, AgentWiring } from "./agent-settings.ts";
import { findProgram } from "./find-program.ts";

const NAMES = AGENT_WIRINGS.map(({ host }) => host).join(", ");

/** The agents that were named, or those that are installed. Throws a `UsageError` for a name that is none. */
export function chooseAgents(names: readonly string[], place: AgentPlace, folder: string): readonly AgentWiring[] {
  if (names.length === 0) return AGENT_WIRINGS.filter((agent) => isInstalled(agent, place, folder));
  return [...new Set(names)].map((name) => {
    const agent = AGENT_WIRINGS.find(({ host, program }) => host === name || program === name);
    if (agent === undefined) throw new UsageError(`no agent ${name}; there are ${NAMES}`);
    return agent;
  });
}

/** An agent is there where its settings are, or its program. */
function isInstalled(agent: AgentWiring, place: AgentPlace, folder: string): boolean {
  const stats = statSync(agent.folder(place), { throwIfNoEntry: false });
  return stats?.isDirectory() === true || findProgram(agent.program, place, folder) !== undefined;
}
