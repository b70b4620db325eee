import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage, type ToolMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { ScriptedAnswer, WireMessage, WirePart } from "../../contracts/adapter-driver.ts";
import { nextAnswer } from "../shared/scripts.ts";

interface Options {
  tools?: readonly { name?: string }[];
}

/** A chat model that answers from the script of the run that is going on. */
export class ScriptedModel extends BaseChatModel {
  constructor() {
    super({});
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: readonly object[]): ReturnType<NonNullable<BaseChatModel["bindTools"]>> {
    return this.withConfig({ tools } as object) as ReturnType<NonNullable<BaseChatModel["bindTools"]>>;
  }

  override async _generate(messages: BaseMessage[], options: object): Promise<ChatResult> {
    const { text = "", reasoning, calls = [], content } = this.#next(messages, options as Options);
    const tool_calls = calls.map(({ id, tool, args }) => ({ type: "tool_call" as const, id, name: tool, args }));
    const thoughts = reasoning === undefined ? undefined : [thinking(reasoning), { type: "text", text }];
    const message = new AIMessage({ content: content ?? thoughts ?? text, tool_calls } as object);
    if (content !== undefined) message.response_metadata = { output_version: "v1" };
    else if (thoughts !== undefined) message.response_metadata = THINKER;
    return { generations: [{ text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: object,
    manager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { text = "", reasoning = "", calls = [] } = this.#next(messages, options as Options);
    const chunks = calls.map(({ id, tool, args }, index) => ({ id, index, name: tool, args: JSON.stringify(args) }));
    const pieces = text === "" ? [] : [text.slice(0, 3), text.slice(3)];
    const thoughts = reasoning === "" ? [] : [reasoning.slice(0, 99), reasoning.slice(99)];
    const streamed = [
      ...thoughts.map(
        (piece, at) =>
          new AIMessageChunk({
            content: [{ index: 0, ...thinking(piece) }],
            response_metadata: at === 0 ? THINKER : {},
          } as object),
      ),
      ...pieces.map((piece) => new AIMessageChunk({ content: piece })),
      ...chunks.map((chunk) => new AIMessageChunk({ content: "", tool_call_chunks: [chunk] } as object)),
    ];
    for (const message of streamed) {
      const piece = new ChatGenerationChunk({ text: message.text, message });
      yield piece;
      await manager?.handleLLMNewToken(piece.text, undefined, undefined, undefined, undefined, { chunk: piece });
    }
  }

  #next(messages: readonly BaseMessage[], { tools = [] }: Options) {
    const raw = { messages: messages.map(visibleMessage), tools: tools.map(({ name }) => name) };
    const {
      text,
      reasoning,
      calls = [],
    } = nextAnswer({ raw: structuredClone(raw), messages: messages.map(readMessage) });
    const provided = calls.filter(({ providerOutput }) => providerOutput !== undefined);
    return {
      text,
      reasoning,
      calls: calls.filter((call) => !provided.includes(call)),
      content: provided.length === 0 ? undefined : provided.flatMap(serverBlocks),
    };
  }
}

/** Thoughts as Anthropic's models send them. */
const THINKER = { model_provider: "anthropic" };

function thinking(text: string): object {
  return { type: "thinking", thinking: text };
}

type Calls = NonNullable<ScriptedAnswer["calls"]>;

function serverBlocks({ id, tool, args, providerOutput }: Calls[number]): object[] {
  return [
    { type: "server_tool_call", id, name: tool, args },
    { type: "server_tool_call_result", toolCallId: id, status: "success", output: providerOutput },
  ];
}

/** A message without the random id that the host gives it. */
export function visibleMessage(message: BaseMessage): object {
  const { type, name, content, additional_kwargs } = message;
  const { tool_calls } = message as Partial<AIMessage>;
  const { tool_call_id, status, artifact } = message as Partial<ToolMessage>;
  return { type, name, content, additional_kwargs, tool_calls, tool_call_id, status, artifact };
}

const ROLES: Record<string, WireMessage["role"]> = { human: "user", ai: "assistant", tool: "tool", system: "system" };

function readMessage(message: BaseMessage): WireMessage {
  const role = ROLES[message.type]!;
  const { tool_calls = [] } = message as Partial<AIMessage>;
  const { tool_call_id: id } = message as Partial<ToolMessage>;
  const content = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  if (id !== undefined) return { role, parts: [{ type: "result", id, text: message.text }] };
  const calls: WirePart[] = tool_calls.map((call) => ({ type: "call", id: call.id! }));
  return { role, parts: [...(content as Block[]).flatMap(readBlock), ...calls] };
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly toolCallId?: string;
  readonly output?: unknown;
}

/** LangChain writes an empty text where an answer is calls only; providers' packages leave it out. */
function readBlock({ type, text = "", id = "", toolCallId = "", output }: Block): WirePart[] {
  if (type === "server_tool_call") return [{ type: "call", id }];
  if (type === "server_tool_call_result") return [{ type: "result", id: toolCallId, text: String(output) }];
  return type === "text" && text !== "" ? [{ type, text }] : [];
}
