import { isAnthropicConversation, isConversation, parseConversations } from "../parse-conversations.ts";
import type { TranscriptReader } from "../reader.ts";

/** Conversations in the form of Anthropic's Messages. */
export const anthropicMessages: TranscriptReader = {
  agent: "anthropic-messages",
  label: "Anthropic messages",
  extensions: [".json", ".jsonl", ".ndjson"],
  layout: "any",
  roots: anthropicMessagesPaths,
  isMine: (path, head) => isConversation(path, head) && isAnthropicConversation(head),
  open: parseConversations,
};

/** These files have no place of their own: they are named on the command line. */
function anthropicMessagesPaths(): readonly string[] {
  return [];
}
