import type { AgentEvent } from "doomloop";

/** Warns at every call that is the same as the one before. */
export function detect({ events }: { run: string; events: readonly AgentEvent[] }): number[] {
  const calls = events.filter((event) => event.type === "call").map(({ tool, args }) => JSON.stringify([tool, args]));
  return calls.flatMap((call, index) => (call === calls[index - 1] ? [index] : []));
}
