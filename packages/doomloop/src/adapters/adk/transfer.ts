import type { HostCall } from "../../host/host-run.ts";
import { modelValue } from "../../host/model-value.ts";
import type { FunctionResponseLike } from "./plugin.ts";
import type { Turn } from "./tell-turns.ts";

/** ADK's own tool that hands a run to another agent. */
const TOOL = "transfer_to_agent";

/**
 * A call as the guard is told of it; undefined for one that is not judged.
 *
 * An agent that has called something is judged by that, and not by its transfer. What the agent said belongs to a transfer:
 * agents that pass drafts to and fro do not go in circles. So does how much was called before: an agent that sends another one to
 * work, again and again, does not either.
 */
export function callOf(tool: string, args: Record<string, unknown>, turn: Turn): HostCall | undefined {
  const isIdle = !turn.hasCalled;
  turn.hasCalled = tool !== TOOL;
  if (turn.hasCalled) {
    turn.calls++;
    return { tool, args };
  }
  const { said, calls } = turn;
  return isIdle ? { tool, args: { ...args, said, calls }, readOnly: true } : undefined;
}

/** What came of a call. "Transfer queued" is all that ADK says of a transfer: it is no news, and nobody waits in a queue. */
export function outputOf({ name, response }: FunctionResponseLike): unknown {
  return name === TOOL && response !== undefined && "result" in response ? "" : modelValue(response);
}
