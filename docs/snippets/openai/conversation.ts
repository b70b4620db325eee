import { guard } from "doomloop/openai";
import type OpenAI from "openai";
import { toResponseInputItems } from "openai/lib/responses/ResponseInputItems";

declare const client: OpenAI;
declare const model: string;
declare const tools: OpenAI.Responses.Tool[];
declare let input: OpenAI.Responses.ResponseInputItem[];
type Call = OpenAI.Responses.ResponseFunctionToolCall | OpenAI.Responses.ResponseCustomToolCall;
declare function runTool(call: Call): Promise<OpenAI.Responses.ResponseInputItem>;

// #region conversation
const observe = guard(input);
let previous: { previous_response_id?: string } = {};

while (!observe(input).isOver) {
  const response = await client.responses.create({ model, input, tools, ...previous });
  previous = { previous_response_id: response.id };
  const { calls, answers, isOver } = observe(toResponseInputItems(response.output));
  if (isOver) break;
  input = [...answers, ...(await Promise.all(calls.map(runTool)))];
}
// #endregion conversation
