import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { answerWith, type Block, streamed } from "../shared/anthropic-answer.ts";

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
    const whole = answerWith(content, `message-${++answers}`, body.model);
    response.writeHead(200, { "content-type": body.stream ? "text/event-stream" : "application/json" });
    response.end(body.stream ? streamed(whole) : JSON.stringify(whole));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}
