import type { Message } from "./gateway-formats.ts";

/** A request as LiteLLM reads it for a guardrail: its messages in the format of Chat Completions, and the texts that can be changed. */
export interface LitellmInputs {
  readonly structured_messages: readonly Message[];
  readonly texts: readonly string[];
}

/** A text, and how to put another one in its place. */
interface Slot {
  readonly text: string;
  put(text: string): void;
}

/**
 * What LiteLLM's proxy does around a guardrail, as its source has it (`guardrail_translation/handler.py` of `openai/chat`, `openai/responses` and
 * `anthropic/chat`, August 2026). LiteLLM itself cannot be had from npm or Debian.
 */
export function litellmInputs(body: Message, api: "chat" | "responses" | "messages"): LitellmInputs {
  const list = listOf(body);
  const structured_messages =
    api === "messages" ? anthropicToOpenAi(body) : api === "chat" ? list : inputToMessages(list);
  return { structured_messages, texts: slotsOf(list, api).map(({ text }) => text) };
}

/** The request with the texts that the guardrail has answered. LiteLLM fails if there are more of them than it has sent. */
export function withTexts(body: Message, api: "chat" | "responses" | "messages", texts: readonly string[]): Message {
  const copy = structuredClone(body) as Message;
  const slots = slotsOf(listOf(copy), api);
  if (texts.length !== slots.length) throw new Error(`${slots.length} texts are required, got ${texts.length}`);
  for (const [at, slot] of slots.entries()) slot.put(texts[at]!);
  return copy;
}

function listOf(body: Message): Message[] {
  return (body.messages ?? body.input) as Message[];
}

function slotsOf(list: readonly Message[], api: string): Slot[] {
  return list.flatMap((message) => {
    const { content } = message;
    if (typeof content === "string") return [slot(message, "content")];
    return blocksOf(content).flatMap((block) => {
      if (api === "messages" && block.type === "tool_result") {
        if (typeof block.content === "string") return [slot(block, "content")];
        return blocksOf(block.content).flatMap((inner) =>
          typeof inner.text === "string" ? [slot(inner, "text")] : [],
        );
      }
      return typeof block.text === "string" ? [slot(block, "text")] : [];
    });
  });
}

function slot(holder: Message, field: string): Slot {
  return {
    text: holder[field] as string,
    put(text) {
      (holder as Record<string, unknown>)[field] = text;
    },
  };
}

function blocksOf(content: unknown): Message[] {
  return Array.isArray(content) ? (content as Message[]) : [];
}

/** `translate_anthropic_messages_to_openai`, without images. */
function anthropicToOpenAi({ system, messages }: Message): Message[] {
  const translated = (messages as Message[]).flatMap(({ role, content }): Message[] => {
    if (typeof content === "string") return [{ role, content }];
    const blocks = blocksOf(content);
    if (role === "assistant") {
      const text = blocks.filter(({ type }) => type === "text").map((block) => block.text);
      const calls = blocks.filter(({ type }) => type === "tool_use");
      const tool_calls = calls.map(({ id, name, input }) => ({
        ...{ id, type: "function" },
        function: { name, arguments: JSON.stringify(input) },
      }));
      return [{ role, content: text.length > 0 ? text.join("") : null, ...(calls.length > 0 && { tool_calls }) }];
    }
    const said = blocks.filter(({ type }) => type === "text");
    const results = blocks.filter(({ type }) => type === "tool_result");
    return [
      ...results.map(({ tool_use_id, content }) => ({
        ...{ role: "tool", tool_call_id: tool_use_id },
        content: Array.isArray(content) && content.length === 1 ? content[0].text : (content ?? ""),
      })),
      ...(said.length > 0 ? [{ role, content: said }] : []),
    ];
  });
  return system === undefined ? translated : [{ role: "system", content: system }, ...translated];
}

/** `transform_responses_api_input_to_messages`, as far as calls and results go. */
function inputToMessages(input: readonly Message[]): Message[] {
  return input.map((item) => {
    const { type, call_id, name, output } = item;
    if (type === "function_call_output") return { role: "tool", tool_call_id: call_id, content: output };
    if (type !== "function_call") return item;
    const call = { id: call_id, type: "function", function: { name, arguments: item.arguments } };
    return { role: "assistant", content: null, tool_calls: [call] };
  });
}
