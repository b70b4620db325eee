import { subscribe, unsubscribe } from "node:diagnostics_channel";
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
    ["no Host", get("/healthz", "")],
    ["two Hosts", get("/healthz", `${HOST}host: y\r\n`)],
    ["two Authorizations", get("/metrics", `${HOST}${`authorization: Bearer ${TOKEN}\r\n`.repeat(2)}`)],
  ])("is closed by a request with %s", async (_, request) => {
    expect(await sent(request)).toMatch(/^HTTP\/1.1 400 Bad Request/);
  });
});
