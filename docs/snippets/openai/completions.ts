import type OpenAI from "openai";

declare const client: OpenAI;
declare const model: string;
declare const messages: OpenAI.ChatCompletionMessageParam[];
declare const tools: OpenAI.ChatCompletionTool[];
declare function runTool(call: OpenAI.ChatCompletionMessageToolCall): Promise<OpenAI.ChatCompletionToolMessageParam>;

// #region completions
import { guard, loopStop } from "doomloop/openai";

const observe = guard(messages);

while (!observe().isOver) {
  const completion = await client.chat.completions.create({ model, messages, tools });
  messages.push(completion.choices[0]!.message);
  for (const call of observe().calls) messages.push(await runTool(call));
}
const stop = loopStop(observe);
if (stop) console.warn(stop.explanation);
// #endregion completions
