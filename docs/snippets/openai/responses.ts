import { observeMessages } from "doomloop/openai";
import type OpenAI from "openai";

declare const client: OpenAI;
declare const model: string;
declare const prompt: string;
declare const tools: OpenAI.Responses.Tool[];
type Call = OpenAI.Responses.ResponseFunctionToolCall | OpenAI.Responses.ResponseCustomToolCall;
declare function runTool(call: Call): Promise<OpenAI.Responses.ResponseInputItem>;

const observe = observeMessages();

// #region responses
import { toResponseInputItems } from "openai/lib/responses/ResponseInputItems";

const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: prompt }];

while (!observe(input).isOver) {
  const response = await client.responses.create({ model, input, tools });
  input.push(...toResponseInputItems(response.output));
  for (const call of observe(input).calls) input.push(await runTool(call));
}
// #endregion responses
