import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** What was asked. */
interface AskedQuestion {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model: string;
  /** The text that never changes. */
  readonly system: string;
  /** The excerpt. */
  readonly message: string;
}

/** Stands for a model that speaks like OpenAI's chat completions. */
export interface ScriptedEndpoint {
  /** Up to the version. */
  readonly url: string;
  readonly asked: readonly AskedQuestion[];
  /** The most questions that were open at once. */
  readonly mostOpen: number;
  close(): Promise<void>;
}

/** What the endpoint does: says a text as a model would, sends bytes as they are, or nothing at all. */
export type ScriptedAnswer = string | { readonly status?: number; readonly body: string } | "hangs";

/** Starts an endpoint on loopback. `answer` gets the number of the question, from 0. */
export async function scriptedEndpoint(answer: (index: number) => ScriptedAnswer): Promise<ScriptedEndpoint> {
  const asked: AskedQuestion[] = [];
  let open = 0;
  let mostOpen = 0;
  const { url: address, close } = await localServer(async (request, response) => {
    mostOpen = Math.max(mostOpen, ++open);
    response.on("close", () => open--);
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { model, messages } = JSON.parse(Buffer.concat(pieces).toString("utf8"));
    const [system, message] = messages.map(({ content }: { content: string }) => content);
    const { url: path = "", headers } = request;
    const said = answer(asked.push({ path, authorization: headers.authorization, model, system, message }) - 1);
    if (said === "hangs") return;
    const { status = 200, body } =
      typeof said === "string" ? { body: JSON.stringify({ choices: [{ message: { content: said } }] }) } : said;
    response.writeHead(status).end(body);
  });
  return {
    url: `${address}/v1`,
    asked,
    close,
    get mostOpen() {
      return mostOpen;
    },
  };
}

/** A server on this machine, at a port of its own. Whoever is connected when it closes is cut off. */
export async function localServer(answer: RequestListener) {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
