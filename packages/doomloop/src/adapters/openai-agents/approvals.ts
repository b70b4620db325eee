import { isObject } from "../../core/identity/read-object.ts";
import type { ToolCallLike, ToolLike } from "./agent.ts";

/** Handles a call of an agent that a human rejected. */
export type OnRejected = (context: object, call: ToolCallLike, message: string | undefined) => void;

/** What a human decides about. */
interface ApprovalItem {
  readonly agent: object;
  readonly rawItem: ToolCallLike;
}

type RejectTool = (item: ApprovalItem, options?: { readonly message?: unknown }) => unknown;

const byAgent = new WeakMap<object, OnRejected>();
const observedContexts = new WeakSet<object>();

/** Registers a function for an agent's calls that a human rejects. */
export function onRejection(agent: object, onRejected: OnRejected): void {
  byAgent.set(agent, onRejected);
}

/**
 * Observes rejections in a context. The SDK tells none of its hooks: it writes the rejection into the conversation and asks the model
 * again. But every rejection goes through `rejectTool` of the context.
 */
export function observeRejections(context: object): void {
  const { rejectTool } = context as { rejectTool?: RejectTool };
  if (observedContexts.has(context) || typeof rejectTool !== "function") return;
  observedContexts.add(context);
  const value: RejectTool = (item, options) => {
    const done = rejectTool.call(context, item, options);
    const message = typeof options?.message === "string" ? options.message : undefined;
    if (isObject(item?.rawItem)) byAgent.get(item.agent)?.(context, item.rawItem, message);
    return done;
  };
  Object.defineProperty(context, "rejectTool", { value, configurable: true, writable: true });
}

type NeedsApproval = (this: ToolLike, context: object, input: unknown, callId: string) => unknown;

/** Words for calls that were refused before a human was asked, by context and call id. */
const refusals = new WeakMap<object, Map<string, string>>();
const MAX_REFUSALS = 64;

/**
 * Asks the guard before a human is asked.
 *
 * For a call that the guard refuses, the tool says that it needs no approval. The SDK then runs the tool's guardrails, and ours
 * replaces the call by words. Without that guardrail, the call would run although nobody approved it. So a human is asked unless the
 * guardrail is there and has the words.
 */
export function askGuardFirst(
  tool: ToolLike,
  guardrail: object,
  refusalOf: (context: object, call: ToolCallLike) => string | undefined,
): void {
  const own = tool.needsApproval as NeedsApproval | undefined;
  if (typeof own !== "function") return;
  const name = String(tool.name);
  const asking: NeedsApproval = async function (context, input, callId) {
    const isNeeded = await own.call(this, context, input, callId);
    if (!isNeeded || this?.inputGuardrails?.includes(guardrail) !== true) return isNeeded;
    const words = refusalOf(context, { callId, name, arguments: input });
    return words === undefined || !noteRefusal(context, callId, words);
  };
  tool.needsApproval = asking;
}

/** The words for a call that was refused before a human was asked. */
export function refusalIn(context: object, callId: string): string | undefined {
  return refusals.get(context)?.get(callId);
}

/** The call is over. */
export function forgetRefusal(context: object, callId: string): void {
  refusals.get(context)?.delete(callId);
}

/** Returns whether there was room for it. No refusal may be dropped for another, because its call would then run. */
function noteRefusal(context: object, callId: string, words: string): boolean {
  const noted = refusals.get(context) ?? new Map<string, string>();
  refusals.set(context, noted);
  if (noted.size >= MAX_REFUSALS) return false;
  noted.set(callId, words);
  return true;
}
