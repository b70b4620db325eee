import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const here = import.meta.dirname;
const main = resolve(here, "../../../packages/doomloop/src/cli/main.ts");
const TOKEN = "the-token-of-these-tests";
/** A rung at each answer, so that no test waits for the time that a real end takes. */
const QUICK = { policies: { quick: { levels: { told: 3, refused: 5, ended: 6 } } } };

type Turn = { readonly tool: string; readonly args: object } | { readonly text: string };
/** What the model does at a request, counted from 1. */
export type Script = (request: number) => Turn;

/** A provider that plays a script in both wire formats, and remembers what it was asked. */
export interface Upstream {
  readonly port: number;
  readonly bodies: { readonly messages?: readonly { readonly content?: unknown }[] }[];
  end(): Promise<void>;
}

let upstreams = 0;

/** @param run is in the ids of all calls, as a provider's are different in each run */
export async function startUpstream(script: Script, run = `${++upstreams}`): Promise<Upstream> {
  const bodies: Upstream["bodies"] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = JSON.parse(Buffer.concat(pieces).toString()) as (typeof bodies)[number] & { stream?: boolean };
    bodies.push(body);
    const isChat = request.url?.endsWith("/chat/completions") === true;
    const [turn, id] = [script(bodies.length), `${run}_${bodies.length}`];
    const answer = isChat ? chatAnswer(turn, id) : messagesAnswer(turn, id);
    response.setHeader("content-type", body.stream ? "text/event-stream" : "application/json");
    response.end(body.stream ? streamed(answer) : JSON.stringify(answer));
  });
  const port = await listening(server);
  return { port, bodies, end: () => new Promise((done) => void server.close(() => done())) };
}

function chatAnswer(turn: Turn, id: string): object {
  const calls = "tool" in turn && {
    tool_calls: [
      { id: `call_${id}`, type: "function", function: { name: turn.tool, arguments: JSON.stringify(turn.args) } },
    ],
  };
  const message = { role: "assistant", content: "text" in turn ? turn.text : null, ...calls };
  const choice = { index: 0, message, finish_reason: calls ? "tool_calls" : "stop" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return { id: `c_${id}`, object: "chat.completion", created: 1, model: "scripted", choices: [choice], usage };
}

function messagesAnswer(turn: Turn, id: string): object {
  const content =
    "tool" in turn
      ? [{ type: "tool_use", id: `toolu_${id}`, name: turn.tool, input: turn.args }]
      : [{ type: "text", text: turn.text }];
  return {
    ...{ id: `m_${id}`, type: "message", role: "assistant", model: "scripted", content },
    ...{ stop_reason: "tool" in turn ? "tool_use" : "end_turn", stop_sequence: null },
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

/** An answer of Chat Completions in one piece, as a stream. */
function streamed(answer: object): string {
  const { choices, ...rest } = answer as { choices: { message: object; finish_reason: string }[] };
  const { message, finish_reason } = choices[0]!;
  const { tool_calls, ...said } = message as { tool_calls?: object[] };
  const delta = { ...said, ...(tool_calls && { tool_calls: tool_calls.map((call, index) => ({ index, ...call })) }) };
  const chunk = { ...rest, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] };
  return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
}

/** A process of its own that listens on loopback. */
export interface Listening {
  readonly port: number;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

/** Our service, as users start it. */
export async function startService(policies?: "quick"): Promise<Listening> {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-portkey-"));
  const file = join(folder, "policies.json");
  writeFileSync(file, JSON.stringify(QUICK));
  const options = policies === undefined ? [] : ["--policies", file];
  const service = spawn(process.execPath, [main, "serve", "--listen", "127.0.0.1:0", ...options], {
    env: { ...process.env, DOOMLOOP_TOKEN: TOKEN, XDG_STATE_HOME: folder },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const port = await new Promise<number>((found, failed) => {
    let out = "";
    service.stdout.on("data", (piece) => {
      out += piece;
      const said = /^Listening on http:\/\/127\.0\.0\.1:(\d+)$/m.exec(out)?.[1];
      if (said !== undefined) found(Number(said));
    });
    service.once("exit", () => failed(new Error("the service did not start")));
  });
  return {
    port,
    async kill() {
      await killed(service);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Portkey's gateway, as npm has it. */
export async function startGateway(): Promise<Listening> {
  const program = join(here, "node_modules/@portkey-ai/gateway/build/start-server.js");
  const gateway = spawn(
    process.execPath,
    ["--import", join(here, "only-loopback.ts"), program, "--headless", "--port=0"],
    { stdio: ["ignore", "ignore", "ignore", "ipc"] },
  );
  const { port } = await new Promise<AddressInfo>((found, failed) => {
    gateway.once("message", (address) => found(address as AddressInfo));
    gateway.once("exit", () => failed(new Error("the gateway did not start")));
  });
  return { port, kill: () => killed(gateway) };
}

/** The headers with which a client of the gateway asks for our guard, as docs/gateways.md has them. */
export function gatewayHeaders(
  upstream: number,
  service: number | undefined,
  provider: string,
): Record<string, string> {
  const webhook = {
    id: "default.webhook",
    parameters: {
      webhookURL: `http://127.0.0.1:${service}/v1/guardrails/portkey`,
      headers: { Authorization: `Bearer ${TOKEN}` },
    },
  };
  const hooks = [{ type: "guardrail", id: "doomloop", deny: true, checks: [webhook] }];
  const config = {
    ...{ provider, api_key: "none", custom_host: `http://127.0.0.1:${upstream}/v1` },
    ...(service !== undefined && { before_request_hooks: hooks }),
  };
  return { "x-portkey-config": JSON.stringify(config) };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
