import { Agent, request } from "node:http";
import { TOKEN } from "./server-process.ts";

/** How a server did. */
export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly median: number;
  readonly p99: number;
  readonly refused: number;
}

/** Sends requests over kept connections, so many at once, and measures how long each takes. */
export async function load(
  port: number,
  count: number,
  atOnce: number,
  next: (index: number) => { readonly path: string; readonly body: Buffer },
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const times: number[] = [];
  let sent = 0;
  let refused = 0;
  const client = async (): Promise<void> => {
    while (sent < count) {
      const { path, body } = next(sent++);
      const start = performance.now();
      if ((await post(agent, port, path, body)) !== 200) refused++;
      times.push(performance.now() - start);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, client));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  times.sort((one, other) => one - other);
  const at = (part: number): number => times[Math.min(times.length - 1, Math.floor(times.length * part))]!;
  return { perSecond: count / seconds, median: at(0.5), p99: at(0.99), refused };
}

function post(agent: Agent, port: number, path: string, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/json",
      "content-length": body.length,
    };
    const sent = request({ agent, port, host: "127.0.0.1", method: "POST", path, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
