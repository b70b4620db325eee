import { conversationReader, isAnthropicConversation } from "../parse-conversations.ts";

/** Conversations in the format of Anthropic's Messages API. */
export const anthropicMessages = conversationReader(
  "anthropic-messages",
  "Anthropic messages",
  isAnthropicConversation,
);
