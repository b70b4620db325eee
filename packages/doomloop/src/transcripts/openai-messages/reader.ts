import { conversationReader, isAnthropicConversation } from "../parse-conversations.ts";

/** Conversations in the format of OpenAI's Chat Completions and Responses, which most frameworks can write. */
export const openaiMessages = conversationReader(
  "openai-messages",
  "OpenAI messages",
  (head) => !isAnthropicConversation(head),
);
