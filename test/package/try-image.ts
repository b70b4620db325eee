import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";

/** A service that runs as the image runs it. */
export interface RunningImage {
  readonly url: string;
  /** Sends SIGTERM, and returns the exit code. */
  end(): Promise<number>;
}

export const TOKEN = "a-token-for-tests-only";
const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
/** More than 128 MB hold. */
const RUNS = 400;
const BODIES = 60;
const BODY_BYTES = 3_900_000;
const END_MS = 5_000;

/** Three equal calls get a nudge. */
export async function askImage({ url }: RunningImage, run = "asked"): Promise<void> {
  const events = [0, 1, 2].flatMap((at) => [
    { type: "call", id: `${at}`, tool: "read_file", args: { path: "a.ts" } },
    { type: "result", id: `${at}`, output: "the same text as before" },
  ]);
  const { decisions } = (await post(url, run, events)) as { decisions: { action: string }[] };
  if (decisions.at(-1)?.action !== "nudge") throw new Error(`a nudge is expected, got ${JSON.stringify(decisions)}`);
}

/** More runs than there is memory for: it forgets the oldest, and goes on. */
export async function fillImage({ url }: RunningImage): Promise<string> {
  for (let run = 0; run < RUNS; run++) {
    const events = Array.from({ length: 50 }, (_, at) => [
      { type: "call", id: `${at}`, tool: "read_file", args: { path: `${run}/${at}.ts` } },
      { type: "result", id: `${at}`, output: `text ${at} of ${run}, `.repeat(20) },
    ]).flat();
    await post(url, `run-${run}`, events);
  }
  const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
  const kept = Number(/^doomloop_service_runs (\d+)$/m.exec(metrics)?.[1]);
  if (!(kept < RUNS)) throw new Error(`${kept} runs are kept, which may take more memory than there is`);
  return `${kept} of ${RUNS} runs are kept`;
}

/** Clients that send long bodies, all but the last byte, hold what fits; the others are told to come back. */
export async function floodImage(image: RunningImage): Promise<string> {
  const { hostname, port } = new URL(image.url);
  const body = JSON.stringify({ events: [{ type: "text", text: "x".repeat(BODY_BYTES) }] });
  let answers = "";
  const sockets = Array.from({ length: BODIES }, (_, at) => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {}).on("data", (piece) => (answers += piece));
    const head = `POST /v1/runs/b${at}/events HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}`;
    socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body.slice(0, -1));
    return socket;
  });
  const refused = () => answers.split("HTTP/1.1 503").length - 1;
  // It waits no longer than this for the rest of a body.
  for (const end = performance.now() + 9_000; refused() < BODIES - 10 && performance.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 100));
  await askImage(image, `asked-${randomUUID()}`);
  for (const socket of sockets) socket.destroy();
  if (refused() === 0) throw new Error("no body was refused");
  return `${refused()} of ${BODIES} bodies are refused`;
}

/** It ends soon, with 0, even while a client keeps a connection open. */
export async function endImage(image: RunningImage): Promise<void> {
  const { hostname, port } = new URL(image.url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  await once(socket, "connect");
  const start = performance.now();
  const code = await image.end();
  const took = performance.now() - start;
  socket.destroy();
  if (code !== 0) throw new Error(`exit code 0 is expected, got ${code}`);
  if (took > END_MS + 2_000) throw new Error(`it took ${Math.round(took)} ms to end`);
}

async function post(url: string, run: string, events: readonly object[]): Promise<unknown> {
  const body = JSON.stringify({ events });
  const response = await fetch(`${url}/v1/runs/${run}/events`, { method: "POST", headers, body });
  if (response.status !== 200)
    throw new Error(`status 200 is expected, got ${response.status} ${await response.text()}`);
  return response.json();
}
