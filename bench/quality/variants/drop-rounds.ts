import type { AgentEvent } from "../../../packages/doomloop/src/index.ts";

/** The same run from a host that does not tell where a model answer begins. */
export function dropRounds(events: readonly AgentEvent[]): AgentEvent[] {
  return events.filter((event) => event?.type !== "round");
}
