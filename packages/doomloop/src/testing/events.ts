import type { CallEvent, ResultEvent } from "../core/event.ts";
import { type AgentEvent, createGuard, type Decision, type GuardOptions } from "../index.ts";

/** A call without an id. The next result belongs to it. */
export function call(tool: string, args: unknown = {}, more: Partial<CallEvent> = {}): CallEvent {
  return { type: "call", tool, args, ...more };
}

/** A result. Without an id, it belongs to the oldest open call. */
export function result(output: unknown, more: Partial<ResultEvent> = {}): ResultEvent {
  return { type: "result", output, ...more };
}

/** A result that the host marks as failed. */
export function failure(output: unknown): ResultEvent {
  return { type: "result", output, error: true };
}

/** The user speaks. */
export function user(text?: string): AgentEvent {
  return { type: "user", text };
}

/** The agent answers without a call. */
export function text(words: string): AgentEvent {
  return { type: "text", text: words };
}

/** A new model answer begins. */
export const round: AgentEvent = { type: "round" };

/** A call and its result. */
export function step(tool: string, args: unknown, output: unknown, more: Partial<ResultEvent> = {}): AgentEvent[] {
  return [call(tool, args), result(output, more)];
}

/** Repeats events a number of times. */
export function times(count: number, events: readonly AgentEvent[]): AgentEvent[] {
  return Array.from({ length: count }, () => events).flat();
}

/** Plays events to a guard. Returns its decisions other than `continue`, each with the index of its event. Throws if the guard had a fault. */
export function decisionsOf(events: readonly AgentEvent[], options: GuardOptions = {}): (Decision & { at: number })[] {
  const faults: unknown[] = [];
  const guard = createGuard({ ...options, onFault: (fault) => void faults.push(fault) });
  const decisions = events.map((event, at) => ({ at, ...guard.observe(event) }));
  if (faults.length > 0) throw faults[0];
  return decisions.filter((decision) => decision.action !== "continue");
}
