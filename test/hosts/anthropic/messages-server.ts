import Anthropic from "@anthropic-ai/sdk";
import { answerAt, type HostRequest, type ScriptedAnswer, type WirePart } from "../../contracts/adapter-driver.ts";
import { answerWith, type Block, streamed } from "../shared/anthropic-answer.ts";

type Message = { readonly role: "user" | "assistant" | "system"; readonly content: string | readonly Block[] };
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
    const before = body.thread?.type === "continue" ? threads.get(body.thread.previous_message_id) : [];
    if (before === undefined)
      return Response.json({ type: "error", error: { type: "not_found_error" } }, { status: 404 });
    const messages = [...before, ...body.messages];
    const told = ["anthropic-beta", "x-stainless-helper"].map((name) => new Headers(init?.headers).get(name));
    requests.push({ raw: { body, told }, messages: messages.map(readMessage) });
    const answer = answerOf(answerAt(script, requests.length - 1), `message-${requests.length}`);
    threads.set(answer.id, [...messages, { role: "assistant", content: answer.content }]);
    const headers = { "content-type": "text/event-stream" };
    return body.stream ? new Response(streamed(answer), { headers }) : Response.json(answer);
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
  return answerWith([...thoughts, ...words, ...blocks], id);
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
