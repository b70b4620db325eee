import type { Observe } from "doomloop/openai";
import type OpenAI from "openai";
import { toResponseInputItems } from "openai/lib/responses/ResponseInputItems";

/** What a loop needs of its caller. */
export interface LoopOptions {
  readonly client: OpenAI;
  /** As without the adapter: all calls are run, and the loop ends with an answer that has none. */
  readonly begin: <Item>(messages: Item[]) => Observe<Item>;
  readonly run: (name: string, args: string) => Promise<string>;
  /** Whether a human lets a call run; if not, the loop ends there. */
  readonly isAllowed?: (name: string) => boolean;
  readonly isStreaming?: boolean;
  readonly maxTurns: number;
}

/** A loop with its list of messages, as people write it. */
export type Loop = (prompt: string, options: LoopOptions) => Promise<unknown>;

type Message = OpenAI.Chat.ChatCompletionMessageParam;
type Item = OpenAI.Responses.ResponseInputItem;

const model = "scripted";

export const chatLoop: Loop = async (prompt, { client, begin, run, isAllowed, isStreaming, maxTurns }) => {
  const messages: Message[] = [{ role: "user", content: prompt }];
  const observe = begin(messages);
  for (let turn = 0; turn < maxTurns && !observe().isOver; turn++) {
    messages.push(await complete(client, messages, isStreaming));
    for (const call of observe().calls) {
      if (call.type !== "function") throw new Error("chatLoop: a call that the scripts do not make");
      if (isAllowed?.(call.function.name) === false) return messages;
      const content = await run(call.function.name, call.function.arguments);
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
  return messages;
};

/** Of a field that the package does not know, it keeps the last piece only: the loop puts the pieces together. */
async function complete(client: OpenAI, messages: Message[], isStreaming = false): Promise<Message> {
  if (!isStreaming) return (await client.chat.completions.create({ model, messages })).choices[0]!.message;
  let thoughts = "";
  const stream = client.chat.completions.stream({ model, messages }).on("chunk", ({ choices }) => {
    const delta = (choices[0]?.delta ?? {}) as { reasoning_content?: string };
    thoughts += delta.reasoning_content ?? "";
  });
  const message = (await stream.finalChatCompletion()).choices[0]!.message;
  return thoughts === "" ? message : Object.assign(message, { reasoning_content: thoughts });
}

export const responsesLoop: Loop = async (prompt, options) => {
  const { client, begin, isStreaming, maxTurns } = options;
  const input: Item[] = [{ role: "user", content: prompt }];
  const observe = begin(input);
  for (let turn = 0; turn < maxTurns && !observe().isOver; turn++) {
    const { output } = await respond(client, { model, input, store: false }, isStreaming);
    input.push(...toResponseInputItems(output));
    const results = await runCalls(observe().calls, options);
    if (results === undefined) return input;
    input.push(...results);
  }
  return input;
};

/** The server holds the conversation: each request has only what is new. */
export const threadLoop: Loop = async (prompt, options) => {
  const { client, begin, isStreaming, maxTurns } = options;
  let input: Item[] = [{ role: "user", content: prompt }];
  const observe = begin(input);
  let previous: string | undefined;
  for (let turn = 0; turn < maxTurns && !observe(input).isOver; turn++) {
    const request = { model, input, ...(previous && { previous_response_id: previous }) };
    const { id, output } = await respond(client, request, isStreaming);
    previous = id;
    const { calls, answers, isOver } = observe(toResponseInputItems(output));
    const results = await runCalls(calls, options);
    if (isOver || results === undefined) return [...input, ...output];
    input = [...answers, ...results];
  }
  return input;
};

async function respond(
  client: OpenAI,
  request: OpenAI.Responses.ResponseCreateParamsNonStreaming,
  isStreaming = false,
) {
  if (!isStreaming) return client.responses.create(request);
  for await (const event of await client.responses.create({ ...request, stream: true })) {
    if (event.type === "response.completed") return event.response;
  }
  throw new Error("respond: the stream ended early");
}

async function runCalls(
  calls: readonly (OpenAI.Responses.ResponseFunctionToolCall | OpenAI.Responses.ResponseCustomToolCall)[],
  { run, isAllowed }: LoopOptions,
): Promise<Item[] | undefined> {
  const results: Item[] = [];
  for (const call of calls) {
    if (call.type !== "function_call") throw new Error("runCalls: a call that the scripts do not make");
    if (isAllowed?.(call.name) === false) return undefined;
    results.push({ type: "function_call_output", call_id: call.call_id, output: await run(call.name, call.arguments) });
  }
  return results;
}
