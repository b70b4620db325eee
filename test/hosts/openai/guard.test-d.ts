import { guard, type LoopStop, loopStop, type Observe } from "doomloop/openai";
import type OpenAI from "openai";
import { expectTypeOf } from "vitest";
import type { CallIn } from "../../../packages/doomloop/src/adapters/openai/guard.ts";
import type { CallOutput, messageOf, ToolMessage } from "../../../packages/doomloop/src/adapters/openai/items.ts";

type Message = OpenAI.Chat.ChatCompletionMessageParam;
type Item = OpenAI.Responses.ResponseInputItem;
type OwnMessage = ReturnType<typeof messageOf>;

declare const client: OpenAI;

/** The calls are the package's own, in the types of either list. */
export async function knowsTheCalls(messages: Message[], input: Item[]): Promise<void> {
  const observe = guard(messages, { onStop: ({ message }) => expectTypeOf(message).toEqualTypeOf<string>() });
  expectTypeOf(observe).toEqualTypeOf<Observe<Message>>();
  const chat = observe();
  expectTypeOf(chat.calls).toEqualTypeOf<OpenAI.Chat.ChatCompletionMessageToolCall[]>();
  expectTypeOf(chat.answers).toEqualTypeOf<Message[]>();
  expectTypeOf(chat.isOver).toEqualTypeOf<boolean>();
  expectTypeOf(loopStop(observe)).toEqualTypeOf<LoopStop | undefined>();
  const observeItems = guard(input);
  expectTypeOf(observeItems([...input])).toEqualTypeOf(observeItems());
  expectTypeOf(observeItems().calls).toEqualTypeOf<
    (OpenAI.Responses.ResponseFunctionToolCall | OpenAI.Responses.ResponseCustomToolCall)[]
  >();
  const { output } = await client.responses.create({ model: "scripted", input });
  expectTypeOf(observeItems(output).calls[0]!.call_id).toEqualTypeOf<string>();
  expectTypeOf<CallIn<OpenAI.Chat.ChatCompletionUserMessageParam>>().toEqualTypeOf<never>();
  // @ts-expect-error: words and answers are written into the list.
  guard(messages as readonly Message[]);
}

/** What is written into a list is what the package has there. */
export function writesWhatFits(): void {
  expectTypeOf<ToolMessage>().toExtend<Message>();
  expectTypeOf<OwnMessage>().toExtend<Message>();
  expectTypeOf<CallOutput & { type: "function_call_output" }>().toExtend<Item>();
  expectTypeOf<CallOutput & { type: "custom_tool_call_output" }>().toExtend<Item>();
  expectTypeOf<OwnMessage>().toExtend<Item>();
  expectTypeOf<{ type: "text"; text: string }[]>().toExtend<OpenAI.Chat.ChatCompletionToolMessageParam["content"]>();
  expectTypeOf<{ type: "input_text"; text: string }[]>().toExtend<
    OpenAI.Responses.ResponseInputItem.FunctionCallOutput["output"]
  >();
}

/** What is read of a list is there, under these names. */
export function readsWhatIsThere(): void {
  interface Called {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }
  interface Custom {
    readonly id: string;
    readonly custom: { readonly name: string; readonly input: string };
  }
  expectTypeOf<OpenAI.Chat.ChatCompletionMessageFunctionToolCall>().toExtend<Called>();
  expectTypeOf<OpenAI.Chat.ChatCompletionMessageCustomToolCall>().toExtend<Custom>();
  expectTypeOf<OpenAI.Responses.ResponseFunctionToolCall>().toExtend<{
    type: "function_call";
    call_id: string;
    name: string;
    arguments: string;
  }>();
  expectTypeOf<OpenAI.Responses.ResponseCustomToolCall>().toExtend<{
    type: "custom_tool_call";
    call_id: string;
    name: string;
    input: string;
  }>();
  expectTypeOf<OpenAI.Responses.ResponseInputItem.McpCall>().toExtend<{ type: "mcp_call"; id: string; name: string }>();
  expectTypeOf<OpenAI.Responses.ResponseCodeInterpreterToolCall>().toExtend<{
    type: "code_interpreter_call";
    id: string;
  }>();
  expectTypeOf<OpenAI.Responses.ResponseFileSearchToolCall>().toExtend<{
    type: "file_search_call";
    queries: string[];
  }>();
  expectTypeOf<OpenAI.Responses.ResponseReasoningItem>().toExtend<{
    type: "reasoning";
    summary: { text: string }[];
    content?: { text: string }[];
  }>();
  expectTypeOf<OpenAI.Responses.ResponseCompactionItem>().toExtend<{ type: "compaction"; id: string }>();
  expectTypeOf<OpenAI.Responses.ResponseFunctionShellToolCall>().toExtend<{ type: "shell_call"; call_id: string }>();
}
