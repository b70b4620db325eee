import { isAnthropicConversation, isConversation, parseConversations } from "../parse-conversations.ts";
import type { TranscriptReader } from "../reader.ts";

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

/** These files have no place of their own: they are named on the command line. */
function openaiMessagesPaths(): readonly string[] {
  return [];
}
