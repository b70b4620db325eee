import { isObject } from "../../core/identity/read-object.ts";
import type { CallAnswer, HostRun, RefusedCall } from "../../host/host-run.ts";
import type { HostRuns } from "../../host/host-runs.ts";
import type { RunIdentifier } from "./identify-run.ts";
import { noteStop } from "./loop-stop.ts";
import type { ExecuteOptions } from "./settings.ts";

/** A call that the guard has judged already. */
interface JudgedCall {
  readonly run: HostRun;
  readonly answer: CallAnswer;
}

/** Refuses calls before a person is asked whether they may run. Never throws. */
export interface EarlyRefusals {
  /** The refusal of this call, if the guard refuses it. Then nobody needs to be asked about it. */
  of(tool: string, input: unknown, options: ExecuteOptions): RefusedCall | undefined;
  /** What was decided about a call before a person was asked, if anything. */
  judged(input: unknown): JudgedCall | undefined;
}

/**
 * Creates the early refusals of one wiring.
 *
 * A call that needs approval ends the SDK's run without a check of the stop condition. Without early refusals, a run that the guard
 * has ended would continue: the person would approve one call after the other, and each would be refused.
 */
export function createEarlyRefusals(runs: HostRuns, identifier: RunIdentifier): EarlyRefusals {
  const judged = new WeakMap<object, JudgedCall>();
  return {
    of: (tool, input, options) =>
      runs.withFallback<RefusedCall | undefined>(undefined, () => {
        // `execute` recognises the call by its input object. If the input is not an object, the person is asked.
        if (!isObject(input) || !Array.isArray(options?.messages)) return undefined;
        const call = { id: options.toolCallId, tool, args: input };
        if (identifier.ofAsked(input, options)?.wouldRefuse(call) !== true) return undefined;
        const run = identifier.ofCall(input, options);
        const answer = run.call(call);
        judged.set(input, { run, answer });
        noteStop(input, run);
        return answer.action === "run" ? undefined : answer;
      }),
    judged: (input) => (isObject(input) ? judged.get(input) : undefined),
  };
}

/** Says whether a person must approve a call. */
type Approval = (this: unknown, input: unknown, options: ExecuteOptions) => unknown;

/** What `toolApproval` gets if it is one function for all tools. */
interface ApprovalRequest {
  readonly toolCall: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown };
  readonly messages: ExecuteOptions["messages"];
}

/**
 * Wraps `needsApproval` of a tool, so that nobody is asked about a call that the guard refuses. The SDK then calls `execute`, which
 * throws the refusal and never runs the tool.
 */
export function guardNeedsApproval(name: string, tool: { needsApproval?: unknown }, early: EarlyRefusals): Approval {
  const { needsApproval } = tool;
  const ask = typeof needsApproval === "function" ? (needsApproval as Approval) : () => needsApproval;
  return async (input, options) => {
    const isNeeded = await ask.call(tool, input, options);
    return isNeeded && early.of(name, input, options) !== undefined ? false : isNeeded;
  };
}

/** Wraps `toolApproval` of the settings, so that a call that the guard refuses is denied, whatever its tool. */
export function guardToolApproval(toolApproval: unknown, early: EarlyRefusals): unknown {
  const decide = (status: unknown, name: string, input: unknown, options: ExecuteOptions): unknown => {
    const refusal = asksPerson(status) ? early.of(name, input, options) : undefined;
    return refusal === undefined ? status : { type: "denied", reason: refusal.message };
  };

  const guardEntry = ([name, entry]: [string, unknown]): [string, unknown] => {
    if (typeof entry !== "function" && !asksPerson(entry)) return [name, entry];
    const ask: Approval = typeof entry === "function" ? (entry as Approval) : () => entry;
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
  return isObject(toolApproval) ? Object.fromEntries(Object.entries(toolApproval).map(guardEntry)) : toolApproval;
}

function asksPerson(status: unknown): boolean {
  const type = isObject(status) ? (status as { type?: unknown }).type : status;
  return type === "user-approval";
}
