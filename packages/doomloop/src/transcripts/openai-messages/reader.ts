import { isAnthropicConversation, isConversation } from "../is-conversation.ts";
import { parseConversations } from "../parse-conversations.ts";
import type { TranscriptReader } from "../reader.ts";
import { openaiMessagesPaths } from "./paths.ts";

/** Conversations in the form of OpenAI's Chat Completions and Responses, which most frameworks can write. */
export const openaiMessages: TranscriptReader = {
  agent: "openai-messages",
  label: "OpenAI messages",
  extensions: [".json", ".jsonl", ".ndjson"],
  layout: "any",
  roots: openaiMessagesPaths,
  isMine: (path, head) => isConversation(path, head) && !isAnthropicConversation(head),
  open: parseConversations,
};
