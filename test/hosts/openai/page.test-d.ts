import { observeMessages } from "doomloop/openai";
import type OpenAI from "openai";
import { toResponseInputItems } from "openai/lib/responses/ResponseInputItems";

/** What the page leaves to its reader. The rest is the page's own, line by line: `page.test.ts` sees to that. */
declare const client: OpenAI;
declare const model: string;
declare const prompt: string;
declare const thread: string;
declare function handToHuman(explanation: string, tool: string | undefined): string;
declare function answer(message: OpenAI.Chat.ChatCompletionMessageParam | undefined): string;

export async function chat(
  messages: OpenAI.Chat.ChatCompletionMessageParam[],
  tools: OpenAI.Chat.ChatCompletionTool[],
  runTool: (call: OpenAI.Chat.ChatCompletionMessageToolCall) => Promise<OpenAI.Chat.ChatCompletionToolMessageParam>,
): Promise<string> {
  const observe = observeMessages();

  while (!observe(messages).isOver) {
    const completion = await client.chat.completions.create({ model, messages, tools });
    messages.push(completion.choices[0]!.message);
    for (const call of observe(messages).calls) messages.push(await runTool(call));
  }

  const { stopped } = observe(messages);
  if (stopped) return handToHuman(stopped.explanation, stopped.tool);
  return answer(messages.at(-1));
}

type Call = OpenAI.Responses.ResponseFunctionToolCall | OpenAI.Responses.ResponseCustomToolCall;
type RunTool = (call: Call) => Promise<OpenAI.Responses.ResponseInputItem.FunctionCallOutput>;

export async function responses(tools: OpenAI.Responses.Tool[], runTool: RunTool): Promise<void> {
  const observe = observeMessages();
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: prompt }];

  while (!observe(input).isOver) {
    const response = await client.responses.create({ model, input, tools });
    input.push(...toResponseInputItems(response.output));
    for (const call of observe(input).calls) input.push(await runTool(call));
  }
}

export async function held(
  input: OpenAI.Responses.ResponseInputItem[],
  tools: OpenAI.Responses.Tool[],
  runTool: RunTool,
): Promise<void> {
  const observe = observeMessages();
  let previous: { previous_response_id?: string } = {};
  while (!observe(input, thread).isOver) {
    const response = await client.responses.create({ model, input, tools, ...previous });
    previous = { previous_response_id: response.id };
    const { calls, answers, isOver } = observe(toResponseInputItems(response.output), thread);
    if (isOver) break;
    input = [...answers, ...(await Promise.all(calls.map(runTool)))];
  }
}
