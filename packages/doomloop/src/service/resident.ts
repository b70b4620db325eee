import { randomBytes } from "node:crypto";
import { renameSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LogEntry } from "../agents/hook/intervention-log.ts";
import {
  isAddressable,
  proofOf,
  residentAddress,
  runFolder,
  secretFile,
} from "../agents/hook-client/resident-address.ts";
import { forgetStart } from "../agents/hook-client/start-resident.ts";
import { makePrivateFolder, readOwnFile, replaceFile } from "../system/private-files.ts";
import { closed, listening } from "./decisions/listen-address.ts";
import { isSame } from "./decisions/token-check.ts";
import { createHookDoor, readBody, SEEN_HEADER, SILENCE } from "./hook-door.ts";
import { type ResidentStatus, residentStatus } from "./resident-status.ts";
import { createSessions } from "./sessions.ts";

export interface ResidentOptions {
  /** The folder of what hooks keep. */
  readonly state: string;
  readonly version: string;
  /**
   * It ends after so long without an event.
   * @default never
   */
  readonly idleMs?: number | undefined;
  /** A second door: HTTP on this machine, for agents that can ask over HTTP. It asks for the token. */
  readonly http?: { readonly port: number; readonly token: string; onStranger(): void } | undefined;
  /**
   * Whether whoever asks has to prove that it knows the secret of the state folder.
   * @default on Windows
   */
  readonly proves?: boolean;
  /** Whether the code on the disk is another by now. Asked now and then: it ends then, and the next event starts the new code. */
  isOutdated?(): boolean;
  /** @default Date.now */
  readonly now?: () => number;
  onFault(fault: unknown): void;
  /** Called with what was said to an agent or a person. */
  onEntry?(entry: LogEntry): void;
}

export interface Resident {
  /** The port of the second door. */
  readonly port: number | undefined;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Finishes what is under way, saves every run, and ends. */
  end(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
const MAX_CONNECTIONS = 512;
/** A resident that says nothing for so long is replaced. When it can answer again, it finds that the socket is another's, and ends. */
const SILENT_MS = 5_000;
/** How often it looks whether the socket is still its own. */
const WATCH_MS = 2_000;

/**
 * Starts the resident guard of a user: one process that knows the runs of all coding agents. Undefined if there is one already.
 *
 * The socket is the lock. It is made under another name and then renamed, so that it is there as a whole or not at all; whoever finds that
 * the name leads to another socket ends.
 */
export async function startResident(options: ResidentOptions): Promise<Resident | undefined> {
  const { state, version, idleMs, http, now = Date.now, onFault, proves = process.platform === "win32" } = options;
  const address = residentAddress(state);
  if (process.platform !== "win32" && !isAddressable(address))
    throw new Error(`resident: a shorter path is required for its socket, got ${address}`);
  makePrivateFolder(state);
  makePrivateFolder(runFolder(state));
  if ((await residentStatus(state, SILENT_MS)) !== undefined) return undefined;
  const secret = proves ? knownSecret(state) : "";
  const sessions = createSessions({ state, now, onFault });
  const door = createHookDoor({ state, sessions, now, onFault, onEntry: (entry) => options.onEntry?.(entry) });
  const begunAt = now();
  const nonces = new WeakMap<object, string>();
  let events = 0;
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

  const hook = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const { value, isWhole, session } = await readBody(request);
    // Another one has taken over while this one was stopped or hung: whoever asked is gone.
    if (!isOwnSocket()) return void (await send(request, response, ""));
    if (!isWhole) sessions.noteMissed(session);
    events++;
    // What has not arrived as a whole is missed, and not unreadable.
    const { text, run } = request.complete ? await door.answer(url.pathname, url.searchParams, value) : SILENCE;
    const isDelivered = await send(request, response, text);
    if (!isDelivered && run !== undefined && text !== "") sessions.noteUndelivered(run);
    sessions.save();
    door.events.save();
    if (isNewer(url.searchParams.get("v"), version)) void end();
  };

  const control = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    if (url.pathname === "/proof") {
      const nonce = randomBytes(16).toString("hex");
      nonces.set(request.socket, nonce);
      const proof = proofOf(secret, "resident", url.searchParams.get("nonce") ?? "");
      return void (await send(request, response, JSON.stringify({ nonce, proof })));
    }
    const status: ResidentStatus = {
      version,
      pid: process.pid,
      begunAt,
      events,
      sessions: sessions.size,
      missed: sessions.missedCount(),
      unsaved: door.events.unsaved(),
    };
    await send(request, response, JSON.stringify(status));
    if (url.pathname === "/stop" && request.method === "POST") void end();
  };

  /** Whether whoever asks knows the secret. */
  const isTrusted = ({ socket, headers }: IncomingMessage): boolean =>
    !proves ||
    isSame(
      `${headers["x-doomloop-proof"]}`,
      proofOf(secret, "client", nonces.get(socket) ?? randomBytes(16).toString("hex")),
    );

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    wait();
    const url = URL.parse(request.url ?? "", "http://doomloop");
    const isHook = request.method === "POST" && /^\/(?:hook|status-line)\//.test(url?.pathname ?? "");
    const isControl = /^\/(?:proof|status|stop)$/.test(url?.pathname ?? "");
    if (url === null || (!isHook && !isControl)) return void (await send(request, response, "", 404));
    if (url.pathname !== "/proof" && !isTrusted(request)) return void (await send(request, response, "", 403));
    await (isHook ? hook(request, response, url) : control(request, response, url));
  };

  const answerHttp = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    wait();
    const url = URL.parse(request.url ?? "", "http://doomloop");
    if (url === null || request.method !== "POST" || !url.pathname.startsWith("/hook/"))
      return void (await send(request, response, "", 404));
    if (!isSame(request.headers.authorization ?? "", `Bearer ${http?.token}`)) {
      http?.onStranger();
      return void (await send(request, response, "{}"));
    }
    const seen = request.headers[SEEN_HEADER.toLowerCase()];
    // A question that nobody sees is a refusal, so nobody is asked unless the agent says that somebody is there.
    if (typeof seen === "string" && /\w/.test(seen)) url.searchParams.set("seen", seen);
    else url.searchParams.set("ask", "0");
    await hook(request, response, url);
  };

  const servers: Server[] = [];
  const serve = (handler: typeof answer): Server => {
    const server = createServer((request, response) => {
      handler(request, response).catch((fault: unknown) => {
        onFault(fault);
        // Nobody waits for an answer that does not come.
        response.destroy();
      });
    });
    server.maxConnections = MAX_CONNECTIONS;
    server.headersTimeout = 5_000;
    server.requestTimeout = 10_000;
    server.keepAliveTimeout = 60_000;
    servers.push(server);
    return server;
  };

  const isOwnSocket = await listenAt(serve(answer), address);
  forgetStart(state);
  const watch = setInterval(() => {
    // Another resident has taken over, or somebody removed the socket: nobody can reach this one. Or the package was updated.
    if (!isOwnSocket() || options.isOutdated?.() === true) void end();
  }, WATCH_MS);
  watch.unref();

  const end = (): Promise<void> => {
    ending ??= (async () => {
      clearTimeout(idle);
      clearInterval(watch);
      const isReachable = isOwnSocket();
      if (isReachable && process.platform !== "win32") rmSync(address, { force: true });
      await Promise.all(servers.map(closed));
      door.events.save(true);
      // A resident that was displaced knows less than the other one.
      if (isReachable) sessions.handOver();
      finish();
    })();
    return ending;
  };

  try {
    const door = http && serve(answerHttp);
    if (door !== undefined) await listening(door, { host: LOOPBACK, port: http!.port });
    wait();
    return { port: (door?.address() as AddressInfo | undefined)?.port, ended, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Listens under a temporary name, and then takes the real one. Returns a function that says whether the name is still its own. */
async function listenAt(server: Server, address: string): Promise<() => boolean> {
  if (process.platform === "win32") {
    await listening(server, { path: address });
    return () => true;
  }
  const beside = `${address}.${process.pid}`;
  rmSync(beside, { force: true });
  await listening(server, { path: beside });
  const { ino } = statSync(beside);
  renameSync(beside, address);
  return () => statSync(address, { throwIfNoEntry: false })?.ino === ino;
}

/** Sends an answer. Returns whether it has left. */
function send(request: IncomingMessage, response: ServerResponse, text: string, status = 200): Promise<boolean> {
  const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
  const isRead = request.complete || (length === "0" && encoding === undefined);
  const bytes = Buffer.from(text);
  return new Promise((resolve) => {
    response.on("finish", () => resolve(true));
    response.on("close", () => resolve(false));
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": bytes.length,
      ...(isRead ? {} : { connection: "close" }),
    });
    response.end(bytes);
    if (!isRead) request.resume();
  });
}

/** The secret of a state folder, which is made once. */
function knownSecret(state: string): string {
  const file = secretFile(state);
  const known = readOwnFile(file, 200)?.trim();
  if (known !== undefined && known.length >= 32) return known;
  replaceFile(file, `${randomBytes(32).toString("hex")}\n`);
  return readOwnFile(file, 200)?.trim() ?? "";
}

/** Whether a version is later than ours. */
function isNewer(other: string | null, version: string): boolean {
  const numbers = (text: string): readonly number[] => text.split(".", 3).map((part) => Number.parseInt(part, 10) || 0);
  if (other === null || !/^\d{1,5}\.\d{1,5}\.\d{1,5}/.test(other)) return false;
  const [a, b] = [numbers(other), numbers(version)];
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}
