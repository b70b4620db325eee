import { text as textOf } from "node:stream/consumers";
import { localServer } from "../../scripted-endpoint.ts";
import { answerWith, type Block, streamed } from "../shared/anthropic-answer.ts";

export interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly system?: unknown;
  readonly messages: readonly { readonly role: "user" | "assistant" | "system"; readonly content: string | Block[] }[];
}

/** A Messages server on this machine whose model is a function. Requests without tools (a title, a topic) are not the agent's. */
export function messagesServer(answer: (body: Body) => Block[]) {
  let answers = 0;
  return localServer(async (request, response) => {
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
}
