import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Block {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
}

export interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly system?: unknown;
  readonly messages: readonly { readonly role: "user" | "assistant" | "system"; readonly content: string | Block[] }[];
}

export interface MessagesServer {
  readonly url: string;
  close(): void;
}

/** A Messages server on this machine whose model is a function. Requests without tools (a title, a topic) are not the agent's. */
export async function messagesServer(answer: (body: Body) => Block[]): Promise<MessagesServer> {
  let answers = 0;
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    if (request.method !== "POST" || !request.url?.startsWith("/v1/messages?")) {
      response.writeHead(404, { "content-type": "application/json" });
      return response.end('{"type":"error","error":{"type":"not_found_error","message":"not here"}}');
    }
    const body = JSON.parse(text) as Body;
    const content = body.tools?.length ? answer(body) : [{ type: "text", text: "{}" }];
    send(response, body, content, `message-${++answers}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

function send(response: ServerResponse, { model, stream }: Body, content: readonly Block[], id: string): void {
  const stop_reason = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id, type: "message", role: "assistant", model, stop_sequence: null, usage };
  if (!stream) {
    response.writeHead(200, { "content-type": "application/json" });
    return void response.end(JSON.stringify({ ...message, content, stop_reason }));
  }
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap(streamed),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}

function streamed(block: Block, index: number): { type: string }[] {
  const { empty, deltas } = piecesOf(block);
  return [
    { type: "content_block_start", index, content_block: empty } as { type: string },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index } as { type: string },
  ];
}

/** A block as it begins, and what is added to it. */
function piecesOf(block: Block): { empty: Block; deltas: object[] } {
  const { type, text, thinking, signature } = block;
  if (type === "text") return { empty: { type, text: "" }, deltas: [{ type: "text_delta", text }] };
  if (type === "thinking") {
    const deltas = [
      { type: "thinking_delta", thinking },
      { type: "signature_delta", signature },
    ];
    return { empty: { type, thinking: "", signature: "" }, deltas };
  }
  const partial_json = JSON.stringify(block.input);
  return { empty: { ...block, input: {} }, deltas: [{ type: "input_json_delta", partial_json }] };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
