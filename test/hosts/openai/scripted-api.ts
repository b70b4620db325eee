import OpenAI from "openai";
import { answerAt, type ScriptedAnswer, type ScriptedCall } from "../../contracts/adapter-driver.ts";

/** What a request held, with what the server already had of its thread. */
export interface ApiRequest {
  readonly body: { readonly messages?: unknown[]; readonly input?: unknown[]; readonly previous_response_id?: string };
  readonly thread: readonly unknown[];
}

/** A real client whose requests are answered from a script, in whole answers or in streams. */
export function scriptedApi(script: readonly ScriptedAnswer[]) {
  const requests: ApiRequest[] = [];
  const threads = new Map<string, unknown[]>();

  const answerTo = (path: string, body: ApiRequest["body"] & { stream?: boolean }): Response => {
    const held = threads.get(body.previous_response_id ?? "") ?? [];
    const thread = [...held, ...(body.messages ?? body.input ?? [])];
    requests.push({ body, thread });
    const answer = answerAt(script, requests.length - 1);
    if (path.endsWith("/chat/completions")) return chatResponse(answer, requests.length, body.stream === true);
    const id = `resp_${requests.length}`;
    const output = outputOf(answer, requests.length);
    threads.set(id, [...thread, ...output]);
    return responsesResponse({ ...response, id, output }, body.stream === true);
  };

  const client = new OpenAI({
    apiKey: "none",
    maxRetries: 0,
    fetch: async (url, init) => answerTo(new URL(String(url)).pathname, JSON.parse(String(init?.body))),
  });
  return { client, requests };
}

const response = { object: "response", created_at: 0, status: "completed", model: "scripted", error: null } as const;

function chatResponse({ text, reasoning, calls = [] }: ScriptedAnswer, at: number, isStreaming: boolean): Response {
  const tool_calls = calls.map(({ id, tool, args }) => ({
    id,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
  // The API itself shows no thoughts here. Servers that do have this field for them.
  const thoughts = reasoning === undefined ? {} : { reasoning_content: reasoning };
  const message = { role: "assistant", content: text ?? null, ...thoughts, ...(calls.length > 0 && { tool_calls }) };
  const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
  const common = { id: `chatcmpl-${at}`, created: 0, model: "scripted" };
  if (!isStreaming) {
    return json({ ...common, object: "chat.completion", choices: [{ index: 0, message, finish_reason }] });
  }
  const chunk = (delta: object, reason: string | null) => ({
    ...common,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const pieces = tool_calls.map((call, index) => chunk({ tool_calls: [{ index, ...call }] }, null));
  const words = text === undefined ? [] : [chunk({ content: text }, null)];
  const thinking = reasoning?.match(/.{1,20}/gs) ?? [];
  const thought = thinking.map((reasoning_content) => chunk({ reasoning_content }, null));
  return events([chunk({ role: "assistant" }, null), ...thought, ...words, ...pieces, chunk({}, finish_reason)], true);
}

function outputOf({ text, reasoning, calls = [] }: ScriptedAnswer, at: number): object[] {
  const summary = reasoning === undefined ? [] : [{ type: "summary_text", text: reasoning }];
  const content = [{ type: "output_text", text, annotations: [] }];
  const words = { type: "message", id: `msg_${at}`, role: "assistant", status: "completed", content };
  return [
    { type: "reasoning", id: `rs_${at}`, summary },
    ...(text === undefined ? [] : [words]),
    ...calls.map(callItem),
  ];
}

function callItem({ id, tool, args, providerOutput }: ScriptedCall): object {
  const common = { id: `item_${id}`, name: tool, arguments: JSON.stringify(args), status: "completed" };
  if (providerOutput === undefined) return { type: "function_call", call_id: id, ...common };
  return { type: "mcp_call", server_label: "library", output: providerOutput, error: null, ...common };
}

function responsesResponse(whole: { id: string; output: object[] }, isStreaming: boolean): Response {
  if (!isStreaming) return json(whole);
  const items = whole.output.map((item, output_index) => ({ type: "response.output_item.done", output_index, item }));
  return events([...items, { type: "response.completed", response: whole }], false);
}

function json(value: object): Response {
  return new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });
}

function events(values: readonly object[], hasDone: boolean): Response {
  const lines = values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("");
  return new Response(`${lines}${hasDone ? "data: [DONE]\n\n" : ""}`, {
    headers: { "content-type": "text/event-stream" },
  });
}
