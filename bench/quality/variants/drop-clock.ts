import type { AgentEvent } from "../../../packages/doomloop/src/index.ts";

/** The same run from a host that has no clock. */
export function dropClock(events: readonly AgentEvent[]): AgentEvent[] {
  return events.map((event) => {
    if (event?.type !== "call" && event?.type !== "result") return event;
    const { at: _, ...timeless } = event;
    return timeless;
  });
}
