import type { HostRun } from "../../host/host-run.ts";
import type { ItemLike } from "./agent.ts";
import { textOfOutput } from "./text-of-output.ts";

/** The fields of a run's state that are read here. */
export interface StateLike {
  readonly currentAgent: object;
  readonly history: readonly object[];
  readonly _context: object;
}

/** A call of a history, and whether a human rejected it. */
export interface RecalledCall {
  readonly tool: string;
  readonly isRejected: boolean;
}

/** Reports to the guard of an agent what happened in a run. */
export type RecallState = (context: object, items: readonly ItemLike[]) => void;

/** What the SDK writes for a call that a human rejected without a message. */
export const NOT_APPROVED = "Tool execution was not approved.";

const byAgent = new WeakMap<object, RecallState>();
const MAX_ITEMS = 400;

/** Registers a function for the restored runs of an agent. */
export function onState(agent: object, recall: RecallState): void {
  byAgent.set(agent, recall);
}

/**
 * Reports to the guard what happened in a run that was restored from text, and returns the same state:
 * `guardState(await RunState.fromString(agent, text))`. Call it before anything is approved or rejected.
 *
 * Without it, the guard treats a run that resumes in another process as new. A run that the guard still knows is not changed.
 * Never throws.
 */
export function guardState<State extends StateLike>(state: State): State {
  try {
    byAgent.get(state.currentAgent)?.(state._context, state.history as readonly ItemLike[]);
  } catch {
    // If it is not a state of the SDK, it is returned unchanged.
  }
  return state;
}

/** Reports the calls of a history to a run. Their times are unknown. */
export function recallHistory(items: readonly ItemLike[], run: HostRun, onCall: (call: RecalledCall) => void): void {
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
    onCall({ tool: call.name, isRejected });
  }
}
