import type Anthropic from "@anthropic-ai/sdk";
import { guard, loopStop } from "doomloop/anthropic";

declare const client: Anthropic;
declare const model: string;
declare const max_tokens: number;
declare const messages: Anthropic.MessageParam[];
declare const tools: Anthropic.Tool[];
declare function answer(call: Anthropic.ToolUseBlock): Promise<Anthropic.ToolResultBlockParam>;

// #region own-loop
const conversation = guard(messages);
while (!loopStop(conversation)) {
  const message = await client.messages.create({ model, max_tokens, messages, tools });
  conversation.message(message);
  messages.push({ role: message.role, content: message.content });
  const calls = message.content.filter((block) => block.type === "tool_use");
  if (calls.length === 0) break;
  const results = calls.map((call) => conversation.call(call, () => answer(call))); // `answer` makes your tool_result
  messages.push({ role: "user", content: await Promise.all(results) });
}
// #endregion own-loop
