import { type AgentEvent, createGuard, type Decision, type GuardOptions } from "../index.ts";

/** The decisions of a guard that are more than `continue`, each with the event's place. Throws if the guard had a fault. */
export function decisionsOf(events: readonly AgentEvent[], options: GuardOptions = {}): (Decision & { at: number })[] {
  const faults: unknown[] = [];
  const guard = createGuard({ ...options, onFault: (fault) => void faults.push(fault) });
  const decisions = events.map((event, at) => ({ at, ...guard.observe(event) }));
  if (faults.length > 0) throw faults[0];
  return decisions.filter((decision) => decision.action !== "continue");
}
