import type { AgentEvent, CallEvent, ResultEvent } from "../index.ts";

/** A call without an id: its result is the next one. */
export function call(tool: string, args: unknown = {}, more: Partial<CallEvent> = {}): CallEvent {
  return { type: "call", tool, args, ...more };
}

/** A result. Without an id it belongs to the call that has waited longest. */
export function result(output: unknown, more: Partial<ResultEvent> = {}): ResultEvent {
  return { type: "result", output, ...more };
}

/** A failing result, told by the host's flag. */
export function failure(output: unknown): ResultEvent {
  return { type: "result", output, error: true };
}

/** A word of the user. */
export function user(text?: string): AgentEvent {
  return { type: "user", text };
}

/** An answer of the agent without a call. */
export function text(words: string): AgentEvent {
  return { type: "text", text: words };
}

/** A new model answer begins. */
export const round: AgentEvent = { type: "round" };

/** A call and its result. */
export function step(tool: string, args: unknown, output: unknown, more: Partial<ResultEvent> = {}): AgentEvent[] {
  return [call(tool, args), result(output, more)];
}

/** The same events several times over. */
export function times(count: number, events: readonly AgentEvent[]): AgentEvent[] {
  return Array.from({ length: count }, () => events).flat();
}
