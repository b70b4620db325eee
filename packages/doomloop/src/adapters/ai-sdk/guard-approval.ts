import { isObject } from "../../host/is-object.ts";
import type { EarlyRefusals } from "./early-refusals.ts";
import type { ExecuteOptions } from "./settings.ts";

/** Says whether a person must agree to a call. */
type Approval = (this: unknown, input: unknown, options: ExecuteOptions) => unknown;

/** What `toolApproval` is told where it is one function for all tools. */
interface ApprovalRequest {
  readonly toolCall: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown };
  readonly messages: ExecuteOptions["messages"];
}

/**
 * Wraps `needsApproval` of a tool: nobody is asked about a call that the guard refuses. The host then calls `execute`, which fails
 * with the refusal and never runs the tool.
 */
export function guardNeedsApproval(name: string, tool: { needsApproval?: unknown }, early: EarlyRefusals): Approval {
  const { needsApproval } = tool;
  const ask = typeof needsApproval === "function" ? (needsApproval as Approval) : () => needsApproval;
  return async (input, options) => {
    const isNeeded = await ask.call(tool, input, options);
    return isNeeded && early.of(name, input, options) !== undefined ? false : isNeeded;
  };
}

/** Wraps `toolApproval` of the settings: a call that the guard refuses is denied, for whichever tool it is. */
export function guardToolApproval(toolApproval: unknown, early: EarlyRefusals): unknown {
  const decide = (status: unknown, name: string, input: unknown, options: ExecuteOptions): unknown => {
    const refusal = asksPerson(status) ? early.of(name, input, options) : undefined;
    return refusal === undefined ? status : { type: "denied", reason: refusal.message };
  };

  const guardLine = ([name, line]: [string, unknown]): [string, unknown] => {
    if (typeof line !== "function" && !asksPerson(line)) return [name, line];
    const ask: Approval = typeof line === "function" ? (line as Approval) : () => line;
    return [
      name,
      async (input: unknown, options: ExecuteOptions) => decide(await ask(input, options), name, input, options),
    ];
  };

  if (typeof toolApproval === "function") {
    return async (request: ApprovalRequest) => {
      const status: unknown = await toolApproval(request);
      const { toolCallId, toolName, input } = request.toolCall;
      return decide(status, toolName, input, { toolCallId, messages: request.messages });
    };
  }
  return isObject(toolApproval) ? Object.fromEntries(Object.entries(toolApproval).map(guardLine)) : toolApproval;
}

function asksPerson(status: unknown): boolean {
  const type = isObject(status) ? (status as { type?: unknown }).type : status;
  return type === "user-approval";
}
