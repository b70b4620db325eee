import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HookEnvironment } from "../agents/hook/dialect.ts";
import { runHookProgram } from "../agents/hook-program/run-hook-program.ts";
import { CODING_AGENTS } from "../agents/index.ts";

export interface HookServerOptions {
  /** The folder of what hooks keep. The hook program uses the same, so that both can answer one agent. */
  readonly state: string;
  readonly port: number;
  readonly token: string;
  /** Called for the first request without the token. */
  readonly onStranger: () => void;
}

export interface HookServer {
  readonly port: number;
  /** Finishes what is under way and accepts nothing more. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
/** Every event of an agent waits for its answer. */
const LONGEST_MS = 1000;
const MAX_CONNECTIONS = 256;
const PATH = /^\/hook\/([a-z-]{1,40})$/;

/**
 * Answers hooks over HTTP, on this machine only: `POST /hook/<agent>`, with `?unattended=1` if nobody watches.
 *
 * The status is always 200, so that no fault of ours looks like a refusal.
 */
export async function startHookServer(options: HookServerOptions): Promise<HookServer> {
  const { state, token, onStranger } = options;
  let isTold = false;
  const server = createServer(async (request, response) => {
    const url = URL.parse(request.url ?? "", `http://${HOST}`);
    const [, host] = PATH.exec(url?.pathname ?? "") ?? [];
    if (url === null || host === undefined || request.method !== "POST") return send(request, response, 404);
    if (!hasToken(request, token)) {
      if (!isTold) onStranger();
      isTold = true;
      return send(request, response, 200);
    }
    const begun = performance.now();
    const words = ["--host", host, ...(url.searchParams.get("unattended") === "1" ? ["--unattended"] : [])];
    // Stays open after reading, because the answer goes the same way.
    const input = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    const remainingMs = () => LONGEST_MS - (performance.now() - begun);
    const program = { words, input, state, isHeadless: isAlone(request), remainingMs };
    send(request, response, 200, await runHookProgram(program));
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), LONGEST_MS).unref();
      }),
  };
}

/** Compares digests in constant time. A page in a browser cannot send this header. */
function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ""), digest(`Bearer ${token}`));
}

/** Whether nobody can be asked. That is assumed if no header says otherwise, because a question that nobody sees is a refusal. */
function isAlone(request: IncomingMessage): boolean {
  return !CODING_AGENTS.some(({ hook, http }) => {
    const env = environmentIn(request, http?.headers ?? {});
    return env !== undefined && hook?.isHeadless?.(env) === false;
  });
}

/** What headers say about the agent's environment. Undefined if one of them is missing or empty. */
function environmentIn(
  { headers }: IncomingMessage,
  variables: Readonly<Record<string, string>>,
): HookEnvironment | undefined {
  const told = Object.entries(variables).map(([header, variable]) => [variable, headers[header.toLowerCase()]]);
  const isComplete = told.length > 0 && told.every(([, value]) => typeof value === "string" && value !== "");
  return isComplete ? Object.fromEntries(told) : undefined;
}

function send(request: IncomingMessage, response: ServerResponse, status: 200 | 404, output = ""): void {
  const isRead = request.complete;
  const end = isRead ? {} : { connection: "close" };
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...end });
  response.end(output === "" ? "{}" : output);
  if (!isRead) request.resume();
}
