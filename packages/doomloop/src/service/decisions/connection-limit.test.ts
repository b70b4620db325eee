import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DecisionService, startDecisionService } from "./decision-service.ts";
import { readPolicies } from "./policies.ts";

const TOKEN = "a-token-of-the-tests";
let service: DecisionService;
beforeEach(async () => {
  const options = { host: "127.0.0.1", port: 0, token: TOKEN, version: "1.2.3", policies: readPolicies() };
  service = await startDecisionService({ ...options, onNote() {} });
});
afterEach(() => service.end());

const HOST = "host: x\r\n";
const get = (path: string, headers = HOST): string => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
const BODY = '{"events":[{"type":"round"}]}';
const post = (run: string, headers = ""): string =>
  `POST /v1/runs/${run}/events HTTP/1.1\r\n${HOST}authorization: Bearer ${TOKEN}\r\n${headers}content-length: ${BODY.length}\r\n\r\n${BODY}`;

/** Sends everything at once. Resolves to what was answered until the service hung up. */
function sent(text: string): Promise<string> {
  return new Promise((resolve) => {
    let answers = "";
    const socket = connect(service.port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (piece) => (answers += piece));
    socket.on("error", () => {});
    socket.on("close", () => resolve(answers));
  });
}

const chunked = (piece: string, times: number): string =>
  `transfer-encoding: chunked\r\n\r\n${`${piece.length.toString(16)}\r\n${piece}\r\n`.repeat(times)}`;

async function metric(name: string): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(`http://127.0.0.1:${service.port}/metrics`, { headers });
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

describe("a connection", () => {
  it.each([
    ["anybody", get("/openapi.json")],
    ["a client without the token", get("/metrics")],
    ["a client without a Host", get("/healthz", "")],
    ["a client that expects something", get("/healthz", `${HOST}expect: something\r\n`)],
    ["a client with the token", post("a")],
    ["a client that asks before it sends", post("a", "expect: 100-continue\r\n")],
  ])(
    "is closed if it brings many requests at once, and most of them are not even looked at: %s",
    async (_, request) => {
      let parsed = 0;
      const count = (): number => parsed++;
      subscribe("http.server.request.start", count);
      await sent(request.repeat(1500));
      unsubscribe("http.server.request.start", count);

      expect(parsed).toBeLessThan(20);
      expect(await metric("doomloop_service_requests_total")).toBeLessThan(20);
    },
  );

  it("may bring a few requests at once", async () => {
    const answers = await sent(post("a") + post("b") + post("c", "connection: close\r\n"));

    expect(answers.match(/HTTP\/1.1 200 OK/g)).toHaveLength(3);
  });

  it("may bring as many as it likes one after the other", async () => {
    const socket = connect(service.port, "127.0.0.1");
    for (let at = 0; at < 30; at++) {
      const answer = new Promise((resolve) => socket.once("data", (piece) => resolve(String(piece))));
      socket.write(at % 2 === 0 ? post("a") : get("/healthz"));

      expect(await answer).toContain("HTTP/1.1 200 OK");
    }
    socket.destroy();
  });

  it.each([
    ["a client with the token", `POST /v1/runs/a/events HTTP/1.1\r\n${HOST}authorization: Bearer ${TOKEN}\r\n`, 413],
    ["a client without the token", `POST /v1/runs/a/events HTTP/1.1\r\n${HOST}`, 401],
    ["anybody, though nobody reads it", `GET /healthz HTTP/1.1\r\n${HOST}`, 200],
  ])(
    "is closed if a body comes in very many pieces, and most of them are not even looked at: %s",
    async (_, head, status) => {
      let pieces = 0;
      const count = (message: unknown): void => {
        const { request } = message as { request: IncomingMessage };
        const push = request.push.bind(request);
        request.push = (piece) => {
          pieces++;
          return push(piece);
        };
      };
      subscribe("http.server.request.start", count);
      const answer = await sent(`${head}${chunked(" ", 50_000)}0\r\n\r\n`);
      unsubscribe("http.server.request.start", count);

      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*connection: close`));
      expect(pieces).toBeLessThan(1_000);
      expect(await metric("doomloop_service_body_bytes")).toBe(0);
    },
  );

  it.each([
    ["a long body in pieces of a kilobyte", 1_000, 3_900],
    ["a long body in pieces of 256 bytes", 256, 15_600],
    ["a short body in tiny pieces", 1, 500],
  ])("may bring %s", async (_, length, times) => {
    const head = `POST /v1/runs/a/events HTTP/1.1\r\n${HOST}authorization: Bearer ${TOKEN}\r\nconnection: close\r\n`;
    const body = chunked(" ".repeat(length), times);

    expect(await sent(`${head}${body}${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each([
    ["no Host", get("/healthz", "")],
    ["two Hosts", get("/healthz", `${HOST}host: y\r\n`)],
    ["two Authorizations", get("/metrics", `${HOST}${`authorization: Bearer ${TOKEN}\r\n`.repeat(2)}`)],
  ])("is closed by a request with %s", async (_, request) => {
    expect(await sent(request)).toMatch(/^HTTP\/1.1 400 Bad Request/);
  });
});
