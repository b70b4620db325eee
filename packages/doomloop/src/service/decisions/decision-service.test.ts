import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EVENT_FIELDS } from "../../checks/check-event.ts";
import { packageFolder } from "../../system/package-folder.ts";
import { type DecisionService, type ServiceNote, startDecisionService } from "./decision-service.ts";
import { readPolicies } from "./policies.ts";
import { ROUTES } from "./routes.ts";

const TOKEN = "a-token-of-the-tests";
let service: DecisionService;
let notes: ServiceNote[];
beforeEach(async () => {
  notes = [];
  const store = { load: async () => undefined, save: async () => undefined, forget: async () => {} };
  service = await startDecisionService({
    ...{ host: "127.0.0.1", port: 0, token: TOKEN, policies: readPolicies() },
    ...{ store, onNote: (note) => void notes.push(note) },
  });
});
afterEach(() => service.end());

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks the service, with the token unless told otherwise. */
async function ask(path: string, { method, body, headers = {} }: Asked = {}) {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  return {
    status: response.status,
    type,
    headers: response.headers,
    text,
    json: type.includes("json") && text !== "" ? JSON.parse(text) : undefined,
  };
}

const lap = (at: number) => [
  { type: "call", id: `c${at}`, tool: "read_file", args: { path: "a.ts" }, at: at * 5_000 },
  { type: "result", id: `c${at}`, output: "the same text as before", at: at * 5_000 + 100 },
];

const ROWS = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `row ${id}`, price: id * 1.5 }));

describe("the service", () => {
  it.each(["finish", "update_goal"])("never refuses a way out where everything else is refused: %s", async (tool) => {
    const actionsOf = async (name: string, from: number) => {
      const actions: string[] = [];
      for (let at = from; at < from + 60 && !actions.includes("stop"); at++) {
        const call = { type: "call", id: `c${at}`, tool: name, args: { status: "blocked" }, at: at * 5_000 };
        const output = "That is not possible now.";
        const result = { type: "result", id: `c${at}`, output, error: true, at: at * 5_000 + 100 };
        const { json } = await ask(`/v1/runs/${tool}/events`, { body: { events: [call, result] } });
        actions.push(...json.decisions.map(({ action }: { action: string }) => action));
      }
      return actions;
    };

    const actions = await actionsOf(tool, 0);
    expect(actions).not.toContain("block");
    expect(actions.filter((action) => action === "nudge")).toHaveLength(1);
    expect(actions).toContain("stop");
    await ask(`/v1/runs/${tool}/events`, { body: { events: [{ type: "user", text: "Go on." }] } });
    expect(await actionsOf("close_case", 100)).toContain("block");
  });

  it("notes a fault of its own, and nothing if a client hangs up", async () => {
    const notes: ServiceNote[] = [];
    const policies = readPolicies();
    let isBroken = false;
    const optionsFor: typeof policies.optionsFor = (...asked) => {
      if (isBroken) throw new Error("something is broken");
      return policies.optionsFor(...asked);
    };
    const options = { host: "127.0.0.1", port: 0, token: TOKEN };
    const broken = await startDecisionService({
      ...options,
      policies: { ...policies, optionsFor },
      onNote: (note) => void notes.push(note),
    });
    isBroken = true;
    const url = `http://127.0.0.1:${broken.port}/v1/runs/a/events`;
    const headers = { authorization: `Bearer ${TOKEN}` };
    const { status } = await fetch(url, { method: "POST", headers, body: '{"events":[]}' });
    const socket = connect(broken.port, "127.0.0.1", () => {
      socket.write(
        `POST /v1/runs/a/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: 9\r\n\r\n{`,
      );
      setTimeout(() => socket.destroy(), 20);
    });
    await new Promise((resolve) => socket.on("close", resolve));
    await broken.end();

    expect(status).toBe(500);
    expect(notes).toEqual([{ event: "fault", message: "something is broken" }]);
  });

  it.each(["/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/runs/a"])(
    "answers HEAD as GET, without the body: %s",
    async (path) => {
      await ask("/v1/runs/a/events", { body: { events: lap(0) } });
      const head = await ask(path, { method: "HEAD" });

      expect(head).toMatchObject({ status: 200, text: "", type: (await ask(path)).type });
    },
  );

  it("answers each event with a decision, in order", async () => {
    for (let at = 0; at < 2; at++) await ask("/v1/runs/a/events", { body: { events: lap(at) } });
    const { status, json } = await ask("/v1/runs/a/events", { body: { events: lap(2) } });

    expect(status).toBe(200);
    expect(json.decisions).toMatchObject([
      { action: "continue" },
      { action: "nudge", message: expect.stringContaining("[doomloop]"), finding: { kind: "repeated-call", count: 3 } },
    ]);
    expect((await ask("/v1/runs/a")).json).toMatchObject({ run: "a", events: 6, told: true });
    expect((await ask("/v1/runs/a/allow", { body: {} })).json).toEqual({ loop: json.decisions[1].finding.loop });
    expect((await ask("/v1/runs/a", { method: "DELETE" })).status).toBe(204);
    expect((await ask("/v1/runs/a")).status).toBe(404);
  });

  it.each([
    ["differ only at their end", (at: number) => [...ROWS, { id: at }], "continue"],
    ["are equal", () => ROWS, "nudge"],
  ] as const)("tells long results apart: those that %s", async (_, output, action) => {
    const events = [0, 1, 2].flatMap((at) => [
      { type: "call", id: `${at}`, tool: "get_rows", args: { table: "prices" } },
      { type: "result", id: `${at}`, output: output(at) },
    ]);
    const { json } = await ask("/v1/runs/a/events", { body: { events } });

    expect((json as { decisions: { action: string }[] }).decisions.at(-1)?.action).toBe(action);
  });

  it("refuses fields that it does not know, and says which were meant", async () => {
    const detailOf = async (field: string) =>
      (await ask("/v1/runs/a/events", { body: { events: lap(0), [field]: "shadow" } })).json.detail;

    expect(await detailOf("Policy")).toBe('"Policy" is not a known field; did you mean "policy"?');
    expect(await detailOf("policies")).toContain('did you mean "policy"?');
    expect(await detailOf("option")).toContain('did you mean "options"?');
    expect(await detailOf("extra")).toContain("events, policy, options are known");
    expect(await detailOf(`\u001b[2J${"y".repeat(9_000)}`)).toMatch(/^"[\w#]{1,80}" is not a known field/);
    expect((await ask("/v1/runs/a")).status).toBe(404);
  });

  it("says in each answer which service it is", async () => {
    const names = [await ask("/readyz"), await ask("/v1/none")].map(({ headers }) => headers.get("doomloop-replica"));

    expect(names[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(names[1]).toBe(names[0]);
  });

  it("is ready until it ends", async () => {
    expect((await ask("/readyz")).status).toBe(200);
    expect((await ask("/healthz", { headers: { authorization: "" } })).json).toEqual({ status: "ok" });
    const { port } = service;
    await service.end();
    await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow();
  });

  it("finishes a request that is under way when it ends", async () => {
    const socket = connect(service.port, "127.0.0.1");
    const body = JSON.stringify({ events: lap(0) });
    const head = `POST /v1/runs/a/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: ${body.length}\r\n\r\n`;
    let answer = "";
    socket.on("data", (piece) => (answer += piece));
    await new Promise<void>((resolve) => socket.write(head + body.slice(0, 5), () => resolve()));
    await expect.poll(async () => (await ask("/metrics")).text).toContain("doomloop_service_body_bytes 5");
    const ended = service.end();
    socket.write(body.slice(5));
    await ended;

    await expect.poll(() => answer).toContain("200 OK");
    expect(answer.toLowerCase()).toContain("connection: close");
  });

  it("counts for Prometheus, by no name that a client has chosen", async () => {
    for (let at = 0; at < 3; at++) await ask("/v1/runs/secret-run/events", { body: { events: lap(at) } });
    const { text, type } = await ask("/metrics");

    expect(type).toContain("text/plain");
    expect(text).toContain('doomloop_service_events_total{action="nudge"} 1');
    expect(text).toContain('doomloop_service_findings_total{kind="repeated-call"} 1');
    expect(text).toContain("doomloop_service_runs 1");
    expect(text).not.toMatch(/secret-run|read_file/);
  });

  it("notes what it decided, without arguments, results and the token", async () => {
    for (let at = 0; at < 3; at++) await ask("/v1/runs/a/events", { body: { events: lap(at) } });
    await ask("/v1/runs/a", { headers: { authorization: `Bearer ${TOKEN}x` } });

    expect(notes).toEqual([
      { event: "decision", run: "a", action: "nudge", kind: "repeated-call", tool: "read_file" },
      { event: "refused", reason: "token" },
    ]);
  });

  it.each([
    ["balanced", {}],
    ["shadow", {}],
    ["balanced", { ladder: ["stop"] }],
  ])("notes the end of a run once, until the user speaks: %s %j", async (policy, options) => {
    const stops = () => notes.filter((note) => "action" in note && (note.would ?? note.action) === "stop");
    const goOn = (from: number) => {
      const events = Array.from({ length: 60 }, (_, at) => lap(from + at)).flat();
      return ask("/v1/runs/a/events", { body: { events, policy, options } });
    };
    const { text } = await goOn(0);
    expect(text.match(/"(?:action|would)":"stop"/g)!.length).toBeGreaterThan(20);
    expect(stops()).toHaveLength(1);
    await goOn(60);
    expect(stops()).toHaveLength(1);
    await ask("/v1/runs/a/events", { body: { events: [{ type: "user", text: "Go on." }] } });
    await goOn(120);

    expect(stops()).toHaveLength(2);
  });

  it("notes the end of a run again after its loop was allowed", async () => {
    const goOn = async (path: string) => {
      const events = Array.from({ length: 60 }, (_, at) => [
        { type: "call", id: `${path}${at}`, tool: "read_file", args: { path }, at: at * 5_000 },
        { type: "result", id: `${path}${at}`, output: "the same text as before", at: at * 5_000 + 100 },
      ]).flat();
      await ask("/v1/runs/a/events", { body: { events } });
      return notes.filter((note) => "action" in note && note.action === "stop").length;
    };

    expect(await goOn("a.ts")).toBe(1);
    await ask("/v1/runs/a/allow", { body: {} });
    expect(await goOn("b.ts")).toBe(2);
  });

  it("notes what it would have done, where a policy only watches", async () => {
    for (let at = 0; at < 3; at++) await ask("/v1/runs/a/events", { body: { events: lap(at), policy: "shadow" } });

    expect(notes).toMatchObject([{ event: "decision", action: "continue", would: "nudge", kind: "repeated-call" }]);
  });
});

describe("gateways", () => {
  const messages = [0, 1, 2].flatMap((at) => [
    { role: "assistant", tool_calls: [{ id: `c${at}`, function: { name: "read_file", arguments: "{}" } }] },
    { role: "tool", tool_call_id: `c${at}`, content: "the same text as before" },
  ]);
  const texts = messages.flatMap(({ content }) => content ?? []);
  const litellm = { input_type: "request", structured_messages: messages, texts };

  it.each(["/v1/guardrails/litellm", "/v1/guardrails/litellm/beta/litellm_basic_guardrail_api"])(
    "are answered at %s, with the token where LiteLLM puts it",
    async (path) => {
      const headers = { authorization: "", "x-api-key": TOKEN };
      const { status, json } = await ask(path, { body: litellm });

      expect(status).toBe(200);
      expect(json).toMatchObject({ action: "GUARDRAIL_INTERVENED", texts: [texts[0], texts[1], expect.any(String)] });
      const asked = await fetch(`http://127.0.0.1:${service.port}${path}`, {
        ...{ method: "POST", headers: { "x-api-key": TOKEN }, body: JSON.stringify(litellm) },
      });
      expect(asked.status).toBe(200);
      expect((await ask(path, { body: litellm, headers: { ...headers, "x-api-key": "x" } })).status).toBe(401);
    },
  );

  it("are answered at Portkey's webhook, and counted", async () => {
    const body = { eventType: "beforeRequestHook", request: { json: { model: "m", messages } } };
    const { json } = await ask("/v1/guardrails/portkey", { body });

    expect(json.verdict).toBe(true);
    expect(json.transformedData.request.json.messages.at(-1).content).toContain("[doomloop]");
    const { text } = await ask("/metrics");
    expect(text).toContain("doomloop_service_conversations 1");
    expect(text).toContain('doomloop_service_requests_total{route="/v1/guardrails/portkey",status="200"} 1');
    expect(notes).toMatchObject([{ event: "decision", run: expect.stringMatching(/^gateway:/), action: "nudge" }]);
  });

  it.each([
    ["/v1/guardrails/portkey", { verdict: true }],
    ["/v1/guardrails/litellm", { action: "NONE" }],
  ])("go on if what they send to %s cannot be judged, and the operator hears of it", async (path, expected) => {
    for (const body of ["{", `"${"x".repeat(4_000_001)}"`, "[]"]) {
      const { status, json } = await ask(path, { body });
      expect({ status, json }).toEqual({ status: 200, json: expected });
    }
    expect(notes.map(({ event }) => event)).toEqual(["fault", "fault"]);
  });

  it("cannot use their key for runs", async () => {
    const asked = await fetch(`http://127.0.0.1:${service.port}/v1/runs/a`, { headers: { "x-api-key": TOKEN } });

    expect(asked.status).toBe(401);
  });
});

describe("whoever has no business here", () => {
  it.each([
    ["no token", "/v1/runs/a", { headers: { authorization: "" } }, 401],
    ["another token", "/v1/runs/a", { headers: { authorization: "Bearer x" } }, 401],
    ["the token in the address", `/v1/runs/a?token=${TOKEN}`, { headers: { authorization: "" } }, 400],
    ["the token, but no Bearer", "/v1/runs/a", { headers: { authorization: TOKEN } }, 401],
    ["no token for the metrics", "/metrics", { headers: { authorization: "" } }, 401],
    ["a web page", "/v1/runs/a", { headers: { origin: "http://evil.example" } }, 403],
    ["a web page that asks first", "/v1/runs/a", { method: "OPTIONS", headers: { origin: "null" } }, 403],
    ["a web page that looks for us", "/healthz", { headers: { origin: "http://127.0.0.1:4177" } }, 403],
    ["another address", "/v1/runs", {}, 404],
    ["a deeper address", "/v1/runs/a/events/b", {}, 404],
    ["another method", "/v1/runs/a/events", { method: "PUT", body: {} }, 405],
    ["a compressed body", "/v1/runs/a/events", { body: "{}", headers: { "content-encoding": "gzip" } }, 415],
    ["a body that is too long", "/v1/runs/a/events", { body: "x".repeat(4_000_001) }, 413],
    ["no JSON", "/v1/runs/a/events", { body: "{" }, 400],
    ["no events", "/v1/runs/a/events", { body: {} }, 400],
    ["too many events", "/v1/runs/a/events", { body: { events: Array(1001).fill({ type: "round" }) } }, 400],
    ["an event of another library", "/v1/runs/a/events", { body: { events: [{ type: "tool_call" }] } }, 400],
    ["a run with a strange name", "/v1/runs/a%2f..%2fb/events", { body: { events: [] } }, 400],
    ["a run that cannot be decoded", "/v1/runs/%ff/events", { body: { events: [] } }, 400],
    ["a loop that is none", "/v1/runs/a/allow", { body: { loop: "x" } }, 400],
    ["a misspelt loop", "/v1/runs/a/allow", { body: { Loop: "0" } }, 400],
    ["a list in place of a loop", "/v1/runs/a/allow", { body: [] }, 400],
  ] as const)("gets a problem for %s", async (_, path, asked, expected) => {
    const { status, type, json } = await ask(path, asked as Asked);

    expect({ status, type }).toEqual({ status: expected, type: "application/problem+json" });
    expect(json).toMatchObject({ type: "about:blank", status: expected, detail: expect.any(String) });
    expect((await ask("/v1/runs/a")).status).toBe(404);
  });

  it.each<[object, string]>([
    [{ type: "result", stdout: "x" }, 'result: "stdout" is not a known field; did you mean "output"?'],
    [{ type: "result", body: "x" }, 'result: "body" is not a known field; did you mean "output"?'],
    [{ type: "result", exit_code: 1 }, 'result: "exit_code" is not a known field; did you mean "error"?'],
    [{ type: "result", output: "x", stdout: null }, 'result: "stdout" is not a known field; output, id, error,'],
    [{ type: "user", prompt: "x" }, 'user: "prompt" is not a known field; did you mean "text"?'],
    [{ type: "call", tool: "t", arg: {} }, 'call: "arg" is not a known field; did you mean "args"?'],
    [{ type: "round", text: "x" }, 'round: "text" is not a known field; type, seq,'],
    [{ Type: "call", tool: "t" }, '"Type" is not a known field; did you mean "type"?'],
    [{ type: "result", ["<\n>".repeat(99_999)]: 1 }, "is not a known field; output, id"],
  ])("hears what is meant by an event with a field that is not known: %j", async (event, detail) => {
    const { status, json } = await ask("/v1/runs/a/events", { body: { events: [event] } });

    expect({ status, json }).toMatchObject({ status: 400, json: { detail: expect.stringContaining(detail) } });
    expect(json.detail).toMatch(/^events\[0\]: [ -~]{1,300}$/);
    expect((await ask("/v1/runs/a")).status).toBe(404);
  });

  it.each([
    [{ policy: "Shadow" }, 'did you mean "shadow"?'],
    [{ options: { Preset: "shadow" } }, "did you mean preset?"],
    [{ options: { rules: { wait: { Poll: true } } } }, "did you mean poll?"],
    [{ options: { preset: "x".repeat(100_000) } }, "preset: one of"],
  ])("hears what is meant by misspelt settings", async (settings, detail) => {
    const { status, json } = await ask("/v1/runs/a/events", { body: { events: [], ...settings } });

    expect({ status, json }).toMatchObject({ status: 400, json: { detail: expect.stringContaining(detail) } });
    expect(json.detail.length).toBeLessThan(600);
  });

  it.each([200, 30_000, 1_000_000])("is refused with %i bytes that are no UTF-8", async (count) => {
    const [head, tail] = ['{"events":[{"type":"result","output":"', '"}]}'];
    const bytes = [Buffer.from(head), Buffer.alloc(count, 0xff), Buffer.from(tail)];
    const address = `http://127.0.0.1:${service.port}/v1/runs/a/events`;
    const sent = { method: "POST", headers: { authorization: `Bearer ${TOKEN}` }, body: Buffer.concat(bytes) };
    const response = await fetch(address, sent);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ detail: "the body is not valid UTF-8" });
  });

  it("gets 404 for a loop that the run has not found, and for a run that is not there", async () => {
    const loop = "0".repeat(32);
    await ask("/v1/runs/a/events", { body: { events: lap(0) } });

    for (const [run, body, detail] of [
      ["a", { loop }, "this loop was not found in this run"],
      ["a", {}, "no loop was found in this run"],
      ["b", { loop }, "there is no such run"],
    ] as const)
      expect(await ask(`/v1/runs/${run}/allow`, { body })).toMatchObject({ status: 404, json: { detail } });
  });

  it("never gets permission for a web page", async () => {
    const { headers } = await ask("/openapi.json");

    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  it("cannot change what others get by what stands in an event", async () => {
    const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const events = `"events":[{"type":"call","tool":"t","args":${nested},"meta":{"__proto__":{"tool":"x"}}}]`;
    const hostile = `{"__proto__":{"policy":"shadow"},"constructor":{},${events}}`;
    expect((await ask("/v1/runs/__proto__/events", { body: hostile })).status).toBe(400);
    expect((await ask("/v1/runs/__proto__/events", { body: `{${events}}` })).status).toBe(200);

    expect(({} as Record<string, unknown>).policy).toBeUndefined();
    expect((await ask("/v1/runs/__proto__")).json.policy).toBe("balanced");
    expect((await ask("/v1/runs/constructor")).status).toBe(404);
  });

  it("cannot smuggle a second request in the body of the first", async () => {
    const socket = connect(service.port, "127.0.0.1");
    let answer = "";
    socket.on("data", (piece) => (answer += piece));
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.on("error", () => {});
    const inner = `DELETE /v1/runs/a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
    socket.write(
      `POST /v1/runs/a/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    );
    await closed;

    expect(answer).toContain("400");
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

describe("the description", () => {
  const document = JSON.parse(readFileSync(new URL("schema/openapi-1.json", packageFolder), "utf8")) as {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
    >;
    components: { schemas: Record<string, { properties?: object }> };
  };
  const ajv = new Ajv2020({ strict: false });
  // No object may have a field that is not described, though clients must put up with one.
  const closed = JSON.parse(JSON.stringify(document), (_, value: { properties?: object } | null) =>
    value?.properties === undefined ? value : { additionalProperties: false, ...value },
  );
  ajv.addSchema(closed, "doomloop");
  const check = (schema: string, value: unknown): unknown => {
    const isValid = ajv.getSchema(`doomloop#/components/schemas/${schema}`);
    return isValid?.(value) === true ? undefined : (isValid?.errors ?? "there is no such schema");
  };

  it("is OpenAPI, and is what the service serves", async () => {
    const result = await new Validator().validate(structuredClone(document));

    expect(result.errors).toBeUndefined();
    expect((await ask("/openapi.json")).json).toEqual(document);
  });

  it("has every route, and no other", () => {
    const described = Object.entries(document.paths).flatMap(([path, { parameters, ...methods }]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const open = ["/healthz", "/readyz", "/metrics", "/openapi.json"].map((path) => `GET ${path}`);

    expect(described.sort()).toEqual([...ROUTES.map(({ method, path }) => `${method} ${path}`), ...open].sort());
  });

  it("holds for what the service answers", async () => {
    const said = new Set<string>();
    for (let at = 0; at < 40; at++) {
      const { json } = await ask("/v1/runs/a/events", { body: { events: [{ type: "round" }, ...lap(at)] } });
      expect(check("Decisions", json)).toBeUndefined();
      for (const { action } of json.decisions) said.add(action);
    }
    expect([...said].sort()).toEqual(["block", "continue", "nudge", "stop"]);
    const standing = (await ask("/v1/runs/a")).json;
    expect(standing.stop).not.toBeNull();
    expect(check("Standing", standing)).toBeUndefined();
    const others = await ask("/v1/runs/a/events", { body: { events: [], policy: "shadow" } });
    expect(others.json.notice).toContain("policy");
    expect(check("Decisions", others.json)).toBeUndefined();
    expect(check("Allowed", (await ask("/v1/runs/a/allow", { body: {} })).json)).toBeUndefined();
    expect(check("Problem", (await ask("/v1/nosuch")).json)).toBeUndefined();
    for (const [gateway, body] of [
      ["Litellm", { input_type: "request" }],
      ["Portkey", { eventType: "beforeRequestHook" }],
    ] as const) {
      const path = `/v1/guardrails/${gateway.toLowerCase()}`;
      expect(check(`${gateway}Request`, body)).toBeUndefined();
      expect(check(`${gateway}Answer`, (await ask(path, { body })).json)).toBeUndefined();
    }
  });

  it("lets generated clients survive words that are not known yet", () => {
    const finding = { kind: "new", loop: "0".repeat(32), steps: [0], count: 1, weight: 1, confidence: 1, tools: [] };
    const decision = { action: "new", next: "new", would: "new", finding: { ...finding, evidence: {} } };
    const question = { id: 1, why: "new", since: 0, latest: 0, until: 1 };
    const stop = { status: "LOOP_DETECTED", action: "new", kind: "new", explanation: "", message: "", findings: [] };

    expect(check("Decisions", { decisions: [{ ...decision, question }] })).toBeUndefined();
    expect(check("LoopStop", stop)).toBeUndefined();
    expect(check("LitellmAnswer", { action: "NEW" })).toBeUndefined();
    expect(check("Decision", { action: 7 })).toBeDefined();
  });

  it("has a range for every number, and a body for every answer that is not empty", () => {
    const numbers: object[] = [];
    JSON.stringify(document, (_, value: { type?: string | string[] } | null) => {
      if (/number|integer/.test(`${value?.type}`)) numbers.push(value!);
      return value;
    });
    const answers = Object.values(document.paths).flatMap(({ parameters, ...methods }) =>
      Object.values(methods).flatMap(({ responses }) => Object.entries(responses)),
    );

    expect(numbers.length).toBeGreaterThan(20);
    for (const each of numbers)
      expect(each).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) });
    for (const [status, { content }] of answers) expect(content === undefined).toBe(status === "204");
  });

  it("describes every object and every failure, so that generated clients can pass any object and know when a request fails", () => {
    JSON.stringify(
      document,
      (_, value: { type?: unknown; properties?: object; additionalProperties?: unknown } | null) => {
        if (`${value?.type}`.startsWith("object") && value?.properties === undefined)
          expect(value?.additionalProperties).toBeTruthy();
        return value;
      },
    );
    for (const { parameters, ...methods } of Object.values(document.paths))
      for (const { responses } of Object.values(methods))
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(["400", "403", "500"]));
  });

  it("accepts what the service accepts, and refuses what it refuses", async () => {
    const events: readonly unknown[] = [
      { type: "call", tool: "t" },
      { type: "call", tool: "t", id: "1", args: [1], at: 5, readOnly: true, seq: 1, untold: false },
      { type: "result", output: { a: 1 }, error: null },
      { type: "text", text: "x", partial: true },
      { type: "state", key: "k", value: 7 },
      { type: "round" },
      { type: "compaction" },
      { type: "user" },
      { type: "call" },
      { type: "call", tool: 7 },
      { type: "text" },
      { type: "state", value: 7 },
      { type: "tool_call", tool: "t" },
      { type: "call", tool: "t", seq: -1 },
      { type: "call", tool: "t", at: "now" },
      { type: "call", tool: "t", id: 7 },
      { type: "result", id: null },
      { type: "text", text: "x", at: 5 },
      { type: "round", at: 5 },
      { type: "user", at: 5 },
      { type: "result", error: "yes" },
      { type: "result", stdout: "x" },
      { type: "user", meta: { prompt: 1 } },
      { type: "round", text: null },
      null,
    ];
    for (const [at, event] of events.entries()) {
      const isDescribed = check("EventsRequest", { events: [event] }) === undefined;
      const { status } = await ask(`/v1/runs/e${at}/events`, { body: { events: [event] } });
      expect({ event, isAccepted: status === 200 }).toEqual({ event, isAccepted: isDescribed });
    }
  });

  it("has the fields of events that the service knows, and no other", () => {
    for (const [type, fields] of Object.entries(EVENT_FIELDS)) {
      const name = `${type[0]!.toUpperCase()}${type.slice(1)}Event`;

      expect(Object.keys(document.components.schemas[name]?.properties ?? {}).sort()).toEqual([...fields].sort());
    }
  });
});
