import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setRecent } from "../../core/collections/bounded.ts";
import type { Action, Decision } from "../../core/decision.ts";
import type { AgentEvent } from "../../core/event.ts";
import { toolLabel } from "../../core/identity/call-identity.ts";
import type { OpinionEndpoint } from "../../opinion/ask-endpoint.ts";
import { packageFolder } from "../../system/package-folder.ts";
import { createConversations } from "../guardrails/conversations.ts";
import { createNoteLimit, faultMessage } from "./fault-notes.ts";
import type { HostFleet, HostFleetNote } from "./host-fleet.ts";
import { closed, listening } from "./listen-address.ts";
import type { Policies } from "./policies.ts";
import { Problem } from "./problem.ts";
import { createQuestions } from "./questions.ts";
import { createJsonReader } from "./read-json.ts";
import { type Answer, findRoute, type Route } from "./routes.ts";
import { type RunStore, watchStore } from "./run-store.ts";
import { createRuns } from "./runs.ts";
import { createServiceMetrics, questionCounts } from "./service-metrics.ts";
import { createTokenCheck } from "./token-check.ts";
import { createTurns } from "./turns.ts";

/** Something that happened, for the operator. It holds no arguments, no results and no token. */
export type ServiceNote =
  | {
      readonly event: "decision";
      readonly run: string;
      readonly action: string;
      readonly kind?: string;
      readonly tool?: string;
      /** What would have been done, where a policy only watches. */
      readonly would?: string;
    }
  | HostFleetNote
  | { readonly event: "fault" | "opinion-fault" | "store-back"; readonly message: string }
  | { readonly event: "refused"; readonly reason: "token" | "origin" };

export interface DecisionServiceOptions {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly policies: Policies;
  readonly store?: RunStore | undefined;
  /** The fleet that all runs belong to. Whether its store answers changes nothing about readiness. */
  readonly fleet?: HostFleet | undefined;
  /** A model that is asked whether agents are stuck, where rules cannot tell. */
  readonly opinion?: OpinionEndpoint | undefined;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly maxRuns?: number | undefined;
  /**
   * It ends after so long without a request.
   * @default never
   */
  readonly idleMs?: number | undefined;
  /** @default Date.now */
  readonly now?: () => number;
  onNote(note: ServiceNote): void;
}

export interface DecisionService {
  readonly port: number;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Accepts nothing new, finishes what is under way, saves the runs that were told something, and ends. */
  end(): Promise<void>;
}

const MAX_CONNECTIONS = 4_096;
const TIDY_MS = 60_000;
const MAX_STOPPED = 10_000;
/** How often to look for connections that take too long. */
const CHECKED_EVERY_MS = 1_000;
const PUBLIC = new Set(["/healthz", "/readyz", "/openapi.json"]);

/** Starts the service that judges the runs of any program over HTTP. */
export async function startDecisionService(options: DecisionServiceOptions): Promise<DecisionService> {
  const { host, port, policies, fleet, tls, maxRuns, idleMs, now = Date.now, onNote } = options;
  const hasToken = createTokenCheck(options.token);
  const description = readFileSync(new URL("schema/openapi-1.json", packageFolder));
  const metrics = createServiceMetrics();
  const replica = randomUUID();
  const turns = createTurns();
  const bodies = createJsonReader(turns);
  const note = createNoteLimit(now, onNote);
  const onFault = (fault: unknown): void => {
    metrics.count("doomloop_service_faults_total", {});
    note({ event: "fault", message: faultMessage(fault) });
  };
  /** A stop is noted once, though every further call is answered with it. Where runs are only watched, calls go on beside the loop. */
  const stopped = new Map<string, Action>();
  const onDecision = (run: string, decision: Decision, { type }: Pick<AgentEvent, "type">): void => {
    const { action, finding } = decision;
    const would = "would" in decision ? decision.would : undefined;
    const isStop = (would ?? action) === "stop";
    metrics.count("doomloop_service_events_total", { action });
    if (!isStop && (type === "user" || (type === "call" && stopped.get(run) === "stop"))) stopped.delete(run);
    if (action === "continue" && would === undefined) return;
    const { kind, tools } = finding ?? {};
    metrics.count("doomloop_service_findings_total", { kind: kind === undefined || kind.length > 40 ? "other" : kind });
    if (isStop && stopped.has(run)) return;
    if (isStop) setRecent(stopped, run, action, MAX_STOPPED);
    const tool = tools?.[0] === undefined ? undefined : toolLabel(tools[0]);
    onNote({ event: "decision", run, action, ...(kind && { kind }), ...(tool && { tool }), ...(would && { would }) });
  };
  const counts = questionCounts(metrics, (message) => note({ event: "opinion-fault", message }));
  const asking = new AbortController();
  const questions = createQuestions(options.opinion && { ...options.opinion, signal: asking.signal }, counts);
  const onBack = (): void => note({ event: "store-back", message: "the store answers again" });
  const store = options.store && watchStore(options.store, onFault, onBack);
  const shared = { store, questions, turns, now, onFault, onDecision };
  const runs = createRuns({ ...shared, policies, maxRuns, join: fleet?.join });
  const policy = policies.optionsFor(undefined, undefined);
  const conversations = createConversations({ ...shared, policy, maxConversations: maxRuns });
  let ending: Promise<void> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let finish = (): void => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });

  const wait = (): void => {
    clearTimeout(idle);
    if (idleMs !== undefined && ending === undefined) idle = setTimeout(() => void end(), idleMs);
  };

  /** What everybody may ask. */
  const answerPublic = (path: string, response: ServerResponse): void => {
    const isReady = ending === undefined;
    if (path === "/openapi.json") send(response, 200, description);
    else if (path === "/healthz" || isReady) send(response, 200, JSON.stringify({ status: "ok" }));
    else throw new Problem(503, "the service is ending");
  };

  const answerMetrics = (response: ServerResponse): void => {
    const gauges = {
      doomloop_service_runs: runs.size,
      doomloop_service_conversations: conversations.size,
      doomloop_service_runs_displaced_total: runs.displaced,
      doomloop_service_body_bytes: bodies.held,
      doomloop_service_store_away: store?.isAway() ? 1 : 0,
      doomloop_service_ready: ending === undefined ? 1 : 0,
    };
    send(response, 200, `${metrics.text(gauges)}${fleet?.metrics() ?? ""}`, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
    });
  };

  const refuse = (reason: "token" | "origin", problem: Problem): Problem => {
    metrics.count("doomloop_service_refused_total", { reason });
    note({ event: "refused", reason });
    return problem;
  };

  /** Answers a request. Returns the route that it took, for the metrics. */
  const answer = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<string> => {
    // Programs send no Origin. A page in a browser does, and has no business here, whatever name it has for this address.
    if (request.headers.origin !== undefined)
      throw refuse("origin", new Problem(403, "requests from web pages are refused"));
    // Node leaves out the body of an answer to HEAD.
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (method === "GET" && PUBLIC.has(path)) {
      answerPublic(path, response);
      return path;
    }
    if (!hasToken(request, path)) {
      const challenge = { "www-authenticate": "Bearer" };
      throw refuse(
        "token",
        new Problem(401, "the token is missing or wrong; send it as Authorization: Bearer TOKEN", challenge),
      );
    }
    if (path === "/metrics" && method === "GET") {
      answerMetrics(response);
      return path;
    }
    const { route, run } = findRoute(method, path);
    const { status, body } = await judge(route, run, request);
    if (ending !== undefined) response.setHeader("connection", "close");
    send(response, status, body === undefined ? "" : JSON.stringify(body));
    return route.path;
  };

  const judge = async (route: Route, run: string, request: IncomingMessage): Promise<Answer> => {
    try {
      const body = route.method === "POST" ? await bodies.read(request) : undefined;
      return await route.answer({ runs, conversations }, run, body);
    } catch (error) {
      if (route.otherwise === undefined) throw error;
      onFault(error);
      return { status: 200, body: route.otherwise };
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    wait();
    const start = performance.now();
    // Clients notice by it that the events of one run reach several services.
    response.setHeader("doomloop-replica", replica);
    let route = "none";
    try {
      const url = request.url ?? "";
      // What stands in an address ends up in logs, so nothing is taken from there but the name of the run.
      if (url.includes("?")) throw new Problem(400, "query parameters are not allowed");
      route = await answer(request, response, url);
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem(500, "a fault of the service");
      if (problem !== error) onFault(error);
      sendProblem(response, problem);
    }
    metrics.count("doomloop_service_requests_total", { route, status: response.statusCode });
    metrics.took((performance.now() - start) / 1000);
  };

  const limits = {
    maxHeaderSize: 8_192,
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    keepAliveTimeout: 75_000,
    connectionsCheckingInterval: CHECKED_EVERY_MS,
  };
  const onRequest: RequestListener = (request, response) => void handle(request, response);
  const server: Server = tls ? createTlsServer({ ...limits, ...tls }, onRequest) : createServer(limits, onRequest);
  server.maxConnections = MAX_CONNECTIONS;
  await listening(server, { host, port });
  const tidying = setInterval(() => {
    runs.tidy();
    conversations.tidy();
  }, TIDY_MS);
  tidying.unref();

  const end = (): Promise<void> => {
    ending ??= (async () => {
      clearTimeout(idle);
      clearInterval(tidying);
      await closed(server);
      asking.abort();
      await runs.saveAll();
      finish();
    })();
    return ending;
  };
  wait();
  return { port: (server.address() as AddressInfo).port, ended, end };
}

function send(
  response: ServerResponse,
  status: number,
  text: string | Buffer,
  headers: Readonly<Record<string, string>> = { "content-type": "application/json" },
): void {
  // Without a body, nothing is said about it.
  const about = status === 204 ? {} : { ...headers, "content-length": Buffer.byteLength(text) };
  const close = isBodyRead(response.req) ? {} : { connection: "close" };
  response.writeHead(status, { ...about, ...close, "cache-control": "no-store", "x-content-type-options": "nosniff" });
  response.end(text);
}

function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const headers = { "content-type": "application/problem+json", ...problem.headers };
  send(response, problem.status, JSON.stringify(problem), headers);
}

/** Whether the connection can go on: a body that nobody reads costs as much as any other. */
function isBodyRead({ complete, headers }: IncomingMessage): boolean {
  return complete || (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0);
}
