import { isAnthropicConversation, isConversation, parseConversations } from "../parse-conversations.ts";
import type { TranscriptReader } from "../reader.ts";

/** Conversations in the format of Anthropic's Messages API. */
export const anthropicMessages: TranscriptReader = {
  agent: "anthropic-messages",
  label: "Anthropic messages",
  extensions: [".json", ".jsonl", ".ndjson"],
  layout: "any",
  // These files have no default location. Users name them on the command line.
  roots: () => [],
  isMine: (path, head) => isConversation(path, head) && isAnthropicConversation(head),
  open: parseConversations,
};
