import type { HostCall, HostResult } from "../../host/host-run.ts";
import type { ItemLike } from "./agent.ts";

/** What a conversation may have in it for its handoffs to be judged: anything else is work that no hook was told of. */
const SEEN = ["message", "reasoning", "function_call", "function_call_result"];

/**
 * The handoff that a conversation ends with, as a call. Undefined where it cannot be told: the server holds the conversation, a
 * filter has changed it, or there is work in it that was not seen.
 *
 * What the agent said with it belongs to the call: agents that pass drafts to and fro do not go in circles. So does the number of
 * calls in the run before it. The host's answer is the next agent's name. That is no news, and proves nothing about what the handoff did, so it is left out.
 */
export function readHandoff(
  items: readonly ItemLike[],
  calls: number,
): (HostCall & Omit<HostResult, "id">) | undefined {
  const result = items.at(-1);
  if (result?.type !== "function_call_result" || !items.every(isSeen)) return undefined;
  const at = items.findLastIndex(({ type, callId }) => type === "function_call" && callId === result.callId);
  const { name: tool, arguments: input } = items[at] ?? {};
  if (tool === undefined) return undefined;
  return { tool, args: { input, said: saidBefore(items, at), calls }, output: "", readOnly: true };
}

function isSeen({ type = "message" }: ItemLike): boolean {
  return SEEN.includes(type);
}

/** The words of an answer, by the place of one of its calls. */
function saidBefore(items: readonly ItemLike[], at: number): unknown[] {
  const start = items.findLastIndex(({ type, role }, index) => {
    return index < at && (type === "function_call_result" || role === "user" || role === "system");
  });
  return items
    .slice(start + 1, at)
    .flatMap(({ content }) => (Array.isArray(content) ? content.map(textOf) : [content]));
}

function textOf(part: { text?: unknown } | null): unknown {
  return part?.text;
}
