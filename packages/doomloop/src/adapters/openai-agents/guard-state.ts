import type { HostRun } from "../../host/host-run.ts";
import type { ItemLike } from "./agent.ts";
import { textOfOutput } from "./text-of-output.ts";

/** What is read of a run's state. */
export interface StateLike {
  readonly currentAgent: object;
  readonly history: readonly object[];
  readonly _context: object;
}

/** A call of a history, with what came of it. */
export interface RecalledCall {
  readonly tool: string;
  readonly isRejected: boolean;
}

/** Tells the guard of an agent what happened in a run. */
export type RecallState = (context: object, items: readonly ItemLike[]) => void;

/** What the host writes for a call that a human rejected without a word. */
export const NOT_APPROVED = "Tool execution was not approved.";

const byAgent = new WeakMap<object, RecallState>();
const MAX_ITEMS = 400;

/** Says who is told of the runs of an agent that were restored. */
export function onState(agent: object, recall: RecallState): void {
  byAgent.set(agent, recall);
}

/**
 * Tells the guard what happened in a run that was restored from a text, and gives the same state back:
 * `guardState(await RunState.fromString(agent, text))`. Call it before anything is approved or rejected.
 *
 * Without it, a run that comes back to another process begins anew in the eyes of its guard. A run that the guard still knows is left as it is.
 * Never throws.
 */
export function guardState<State extends StateLike>(state: State): State {
  try {
    byAgent.get(state.currentAgent)?.(state._context, state.history as readonly ItemLike[]);
  } catch {
    // What is no state of the host's is handed on as it is.
  }
  return state;
}

/** Tells a run of the calls in its history. Nobody knows when they were made; whatever was to be said about them is said now. */
export function recallHistory(items: readonly ItemLike[], run: HostRun, heard: (call: RecalledCall) => void): void {
  const open = new Map<string, ItemLike>();
  let isAnswered = true;
  for (const item of items.slice(-MAX_ITEMS)) {
    const { type, role, callId = "" } = item;
    if (role === "user") run.user();
    if (type === "function_call") {
      if (isAnswered) run.round();
      isAnswered = false;
      open.set(callId, item);
    }
    const call = type === "function_call_result" ? open.get(callId) : undefined;
    if (call?.name === undefined) continue;
    isAnswered = true;
    open.delete(callId);
    const output = textOfOutput(item.output);
    const isRejected = output === NOT_APPROVED;
    run.past({ id: callId, tool: call.name, args: call.arguments, output, error: isRejected || undefined });
    heard({ tool: call.name, isRejected });
  }
}
