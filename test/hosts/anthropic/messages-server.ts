import Anthropic from "@anthropic-ai/sdk";
import { answerAt, type HostRequest, type ScriptedAnswer, type WirePart } from "../../contracts/adapter-driver.ts";

type Message = { readonly role: "user" | "assistant" | "system"; readonly content: string | readonly Block[] };
type Block = {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
};

/** Of a thought: opaque to everybody but the server. */
const SIGNATURE = "c2lnbmF0dXJl";

interface Body {
  readonly messages: readonly Message[];
  readonly stream?: boolean;
  readonly thread?: { readonly type: "create" } | { readonly type: "continue"; readonly previous_message_id: string };
}

/** A client whose provider is a script. Threads are held as the server holds them: a request may carry new messages only. */
export function scriptedClient(script: readonly ScriptedAnswer[]) {
  const requests: HostRequest[] = [];
  const threads = new Map<string, readonly Message[]>();

  const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const body = JSON.parse(String(init?.body)) as Body;
    const headers = new Headers(init?.headers);
    const before = body.thread?.type === "continue" ? threads.get(body.thread.previous_message_id) : [];
    if (before === undefined)
      return Response.json({ type: "error", error: { type: "not_found_error" } }, { status: 404 });
    const messages = [...before, ...body.messages];
    const told = ["anthropic-beta", "x-stainless-helper"].map((name) => headers.get(name));
    requests.push({ raw: { body, told }, messages: messages.map(readMessage) });
    const answer = answerOf(answerAt(script, requests.length - 1), `message-${requests.length}`);
    threads.set(answer.id, [...messages, { role: "assistant", content: answer.content }]);
    return body.stream ? streamed(answer) : Response.json(answer);
  };
  return { client: new Anthropic({ apiKey: "none", fetch, maxRetries: 0 }), requests };
}

function answerOf({ text, reasoning, calls = [] }: ScriptedAnswer, id: string) {
  const thoughts = reasoning === undefined ? [] : [{ type: "thinking", thinking: reasoning, signature: SIGNATURE }];
  const words = text === undefined ? [] : [{ type: "text", text }];
  const blocks = calls.flatMap(({ id, tool: name, args: input, providerOutput, ...rest }): Block[] => {
    // The call of a toolset's member names its toolset.
    const toolset = "toolset" in rest ? { toolset_name: rest.toolset } : {};
    if (providerOutput === undefined) return [{ type: "tool_use", id, name, input, ...toolset } as Block];
    const content = [{ type: "text", text: providerOutput }];
    return [
      { type: "mcp_tool_use", id, name, input, server_name: "books" } as Block,
      { type: "mcp_tool_result", tool_use_id: id, is_error: false, content } as Block,
    ];
  });
  return {
    id,
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [...thoughts, ...words, ...blocks],
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

function streamed(answer: ReturnType<typeof answerOf>): Response {
  const { content, stop_reason, ...rest } = answer;
  const events = [
    { type: "message_start", message: { ...rest, content: [], stop_reason: null } },
    ...content.flatMap(streamedBlock),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
}

function streamedBlock(block: Block, index: number): { type: string }[] {
  const start = (content_block: Block) => ({ type: "content_block_start", index, content_block });
  const delta = (delta: object) => ({ type: "content_block_delta", index, delta });
  const stop = { type: "content_block_stop", index };
  if (block.text !== undefined) {
    const pieces = piecesOf(block.text).map((text) => delta({ type: "text_delta", text }));
    return [start({ type: "text", text: "" }), ...pieces, stop];
  }
  if (block.thinking !== undefined) {
    const pieces = piecesOf(block.thinking).map((thinking) => delta({ type: "thinking_delta", thinking }));
    const signed = delta({ type: "signature_delta", signature: block.signature });
    return [start({ type: "thinking", thinking: "", signature: "" }), ...pieces, signed, stop];
  }
  if (block.input === undefined) return [start(block), stop];
  const partial_json = JSON.stringify(block.input);
  return [start({ ...block, input: {} }), delta({ type: "input_json_delta", partial_json }), stop];
}

/** A stream comes in pieces that end anywhere. */
function piecesOf(text: string): string[] {
  return text.match(/.{1,50}/gs) ?? [];
}

function readMessage({ role, content }: Message) {
  return {
    role,
    parts: typeof content === "string" ? [{ type: "text", text: content } as const] : content.flatMap(readBlock),
  };
}

function readBlock({ type, text = "", id = "", tool_use_id = "", content }: Block): WirePart[] {
  if (type === "text") return [{ type, text }];
  if (type.endsWith("tool_use")) return [{ type: "call", id }];
  if (!type.endsWith("tool_result")) return [];
  return [{ type: "result", id: tool_use_id, text: typeof content === "string" ? content : JSON.stringify(content) }];
}
