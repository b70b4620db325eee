import type Anthropic from "@anthropic-ai/sdk";

declare const client: Anthropic;
declare const model: string;
declare const max_tokens: number;
declare const messages: Anthropic.MessageParam[];
declare const tools: Anthropic.Tool[];
declare function answer(call: Anthropic.ToolUseBlock): Promise<Anthropic.ToolResultBlockParam>;

// #region own-loop
import { guardMessages } from "doomloop/anthropic";

const guard = guardMessages();
while (true) {
  const message = await client.messages.create({ model, max_tokens, messages, tools });
  guard.message(message);
  messages.push({ role: message.role, content: message.content });
  const calls = message.content.filter((block) => block.type === "tool_use");
  if (calls.length === 0) break;
  const content = await Promise.all(calls.map((call) => guard.call(call, () => answer(call)))); // `answer` makes your tool_result
  messages.push({ role: "user", content });
  if (guard.stopped) break;
}
// #endregion own-loop
