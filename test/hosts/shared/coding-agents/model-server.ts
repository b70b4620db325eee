import { text as textOf } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { localServer } from "../../../scripted-endpoint.ts";
import type { ModelTurn, Wire } from "./model-turn.ts";

export interface ModelServer {
  readonly url: string;
  /** The agent's requests, as they came. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** A model on this machine that answers from a script. */
export async function modelServer(wire: Wire, script: (request: number) => ModelTurn): Promise<ModelServer> {
  const requests: string[] = [];
  const { url, close } = await localServer(async (request, response) => {
    const path = request.url ?? "";
    const text = await textOf(request);
    if (request.method !== "POST" || text === "") return void response.writeHead(404).end("{}");
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const isStream = body.stream === true || path.includes("streamGenerateContent");
    let turn: ModelTurn = { text: wire.aside ?? "{}" };
    if (wire.isTurn(path, body)) {
      requests.push(text);
      turn = script(requests.length);
    }
    // Others may ask meanwhile.
    const number = requests.length;
    await setTimeout(turn.afterMs ?? 0);
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    response.end(wire.answer(turn, number, isStream));
  });
  return { url: `${url}${wire.base}`, requests, close };
}
