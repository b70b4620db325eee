import { isAnthropicConversation, isConversation, parseConversations } from "../parse-conversations.ts";
import type { TranscriptReader } from "../reader.ts";

/** Conversations in the format of OpenAI's Chat Completions and Responses, which most frameworks can write. */
export const openaiMessages: TranscriptReader = {
  agent: "openai-messages",
  label: "OpenAI messages",
  extensions: [".json", ".jsonl", ".ndjson"],
  layout: "any",
  // These files have no default location. Users name them on the command line.
  roots: () => [],
  isMine: (path, head) => isConversation(path, head) && !isAnthropicConversation(head),
  open: parseConversations,
};
