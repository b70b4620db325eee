import type { AgentEvent } from "../../core/event.ts";

/** Whether a foreign value is an event; what its fields hold is not looked at. */
export function isEvent(event: unknown): event is AgentEvent {
  return typeof event === "object" && event !== null && typeof (event as { type?: unknown }).type === "string";
}
