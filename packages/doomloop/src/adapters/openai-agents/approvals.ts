import { isObject } from "../../host/is-object.ts";
import type { ToolCallLike, ToolLike } from "./agent.ts";

/** What is done about a call that a human rejected: by the agent that made it. */
export type HearRejection = (context: object, call: ToolCallLike, message: string | undefined) => void;

/** What a human decides on. */
interface ApprovalItem {
  readonly agent: object;
  readonly rawItem: ToolCallLike;
}

type RejectTool = (item: ApprovalItem, options?: { readonly message?: unknown }) => unknown;

const byAgent = new WeakMap<object, HearRejection>();
const heardContexts = new WeakSet<object>();

/** Says who hears of an agent's calls that a human rejects. */
export function onRejection(agent: object, hear: HearRejection): void {
  byAgent.set(agent, hear);
}

/**
 * Listens to what a human rejects in a context. The host tells none of its hooks: it writes the rejection into the conversation and
 * asks the model again. But whoever decides tells the context.
 */
export function hearRejections(context: object): void {
  const { rejectTool } = context as { rejectTool?: RejectTool };
  if (heardContexts.has(context) || typeof rejectTool !== "function") return;
  heardContexts.add(context);
  const value: RejectTool = (item, options) => {
    const done = rejectTool.call(context, item, options);
    const message = typeof options?.message === "string" ? options.message : undefined;
    if (isObject(item?.rawItem)) byAgent.get(item.agent)?.(context, item.rawItem, message);
    return done;
  };
  Object.defineProperty(context, "rejectTool", { value, configurable: true, writable: true });
}

type NeedsApproval = (this: ToolLike, context: object, input: unknown, callId: string) => unknown;

/** Words for calls that are refused where a human was to be asked, by their ids in each context. */
const refusals = new WeakMap<object, Map<string, string>>();
const MAX_REFUSALS = 64;

/**
 * Asks the guard before a human is asked.
 *
 * For a call that the guard refuses, the tool says that it needs no approval: the host goes on to the tool's guardrails then, and ours
 * puts words in the place of the call. Without that guardrail the call would run although nobody allowed it, so a human is asked unless it is
 * there and has the words.
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

/** The words for a call that was refused where a human was to be asked. */
export function refusalIn(context: object, callId: string): string | undefined {
  return refusals.get(context)?.get(callId);
}

/** The call is over. */
export function forgetRefusal(context: object, callId: string): void {
  refusals.get(context)?.delete(callId);
}

/** Whether there was room for it. None gives way to another: the call would run. */
function noteRefusal(context: object, callId: string, words: string): boolean {
  const noted = refusals.get(context) ?? new Map<string, string>();
  refusals.set(context, noted);
  if (noted.size >= MAX_REFUSALS) return false;
  noted.set(callId, words);
  return true;
}
