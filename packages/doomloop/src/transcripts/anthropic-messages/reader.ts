import { isAnthropicConversation, isConversation } from "../is-conversation.ts";
import { parseConversations } from "../parse-conversations.ts";
import type { TranscriptReader } from "../reader.ts";
import { anthropicMessagesPaths } from "./paths.ts";

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
