import type OpenAI from "openai";

declare const client: OpenAI;
declare const model: string;
declare const messages: OpenAI.ChatCompletionMessageParam[];
declare const tools: OpenAI.ChatCompletionTool[];
declare function runTool(call: OpenAI.ChatCompletionMessageToolCall): Promise<OpenAI.ChatCompletionToolMessageParam>;

// #region completions
import { observeMessages } from "doomloop/openai";

const observe = observeMessages();

while (!observe(messages).isOver) {
  const completion = await client.chat.completions.create({ model, messages, tools });
  messages.push(completion.choices[0]!.message);
  for (const call of observe(messages).calls) messages.push(await runTool(call));
}
// #endregion completions

declare function handToHuman(...why: unknown[]): void;
declare function answer(message: OpenAI.ChatCompletionMessageParam | undefined): void;

export function end() {
  // #region stopped
  const { stopped } = observe(messages);
  if (stopped) return handToHuman(stopped.explanation, stopped.tool);
  return answer(messages.at(-1));
  // #endregion stopped
}
