import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isHeadless } from "../agents/claude-code/is-headless.ts";
import { runHookProgram } from "../agents/hook-program/run-hook-program.ts";

export interface HookServerOptions {
  /** The folder of what hooks keep: the program's own, so that both may answer one agent. */
  readonly state: string;
  readonly port: number;
  readonly token: string;
  /** Told of the first request that does not show the token. */
  readonly onStranger: () => void;
}

export interface HookServer {
  readonly port: number;
  /** Ends what is under way, and takes nothing more. */
  close(): Promise<void>;
}

/** The header in which Claude Code says what has started it. */
export const ENTRY_HEADER = "X-Claude-Code-Entrypoint";

const HOST = "127.0.0.1";
/** An agent waits for each answer. */
const LONGEST_MS = 1000;
const MAX_CONNECTIONS = 256;
const PATH = /^\/hook\/([a-z-]{1,40})$/;

/**
 * Answers hooks over HTTP, on this machine only: `POST /hook/<host>`, with `?unattended=1` where nobody watches.
 *
 * The answer to whoever asks for a hook is always 200. Nothing that goes wrong here may look like a refusal.
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
    // Left open when enough was read, so that there is somebody to answer.
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

/** Compares digests, which are of one length, in a time that tells nothing. Pages in a browser cannot send it. */
function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ""), digest(`Bearer ${token}`));
}

/** Whether nobody can be asked. Where it is not told, it is so: a question that nobody sees is a refusal. */
function isAlone({ headers }: IncomingMessage): boolean {
  const entry = headers[ENTRY_HEADER.toLowerCase()];
  return typeof entry !== "string" || entry === "" || isHeadless({ CLAUDE_CODE_ENTRYPOINT: entry });
}

function send(request: IncomingMessage, response: ServerResponse, status: 200 | 404, output = ""): void {
  const isRead = request.complete;
  const end = isRead ? {} : { connection: "close" };
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...end });
  response.end(output === "" ? "{}" : output);
  if (!isRead) request.resume();
}
