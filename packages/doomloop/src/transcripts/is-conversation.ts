import { hasKey } from "./head-value.ts";

/** Keys of records that hold messages of a provider, but are more than that and have readers of their own. */
const OTHERS = [
  "run_type",
  "traceId",
  "resourceSpans",
  "parentUuid",
  "projectHash",
  "sessionID",
  "payload",
  "parentId",
  "parent_tool_use_id",
  "subtype",
  "record_type",
  "isSidechain",
  "trajectory_format",
  "mini_version",
  "model_stats",
  "trajectory",
  "history",
  "events",
  "dotted_order",
  "llm_message",
  "observation",
];

const ROLES = ['"user"', '"system"', '"assistant"', '"developer"', '"human"'];

/** Whether a file begins like a conversation in the form of a model provider, whichever. */
export function isConversation(path: string, head: string): boolean {
  const start = head.trimStart().charAt(0);
  if ((start !== "{" && start !== "[") || path.toLowerCase().includes(".traj")) return false;
  if (OTHERS.some((key) => hasKey(head, key))) return false;
  return (
    hasKey(head, "role", ...ROLES) && hasKey(head, "content", '"', "[", "null") && !hasKey(head, "type", '"session"')
  );
}

/** Whether it is Anthropic's: calls and results are content blocks there, and the system prompt stands apart. */
export function isAnthropicConversation(head: string): boolean {
  return (
    hasKey(head, "type", '"tool_use"', '"tool_result"') ||
    hasKey(head, "tool_use_id", '"') ||
    hasKey(head, "input_schema", "{") ||
    (hasKey(head, "max_tokens") && hasKey(head, "system", '"', "["))
  );
}
