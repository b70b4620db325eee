import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localServer } from "../../../../../test/scripted-endpoint.ts";
import type { Output } from "../terminal/output.ts";
import { type ServeDecisionsOptions, serveDecisions } from "./serve-decisions.ts";

let folder: string;
let running: { end(): Promise<number> } | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-serve-"));
});
afterEach(async () => {
  await running?.end();
  running = undefined;
  rmSync(folder, { recursive: true });
});

/** Starts the command, and returns what it prints until it is ready. */
async function start(
  options: Partial<ServeDecisionsOptions> = {},
  env: Record<string, string> = {},
  state = () => join(folder, "state"),
) {
  const controller = new AbortController();
  let out = "";
  let messages = "";
  const output: Output = {
    write: async (text) => {
      out += text;
    },
    isClosed: false,
  } as Output;
  const input = new PassThrough();
  const code = serveDecisions(
    { listen: "127.0.0.1:0", ...options },
    { output, messages: { write: (text) => (messages += text) }, state, signal: controller.signal, env, input },
  );
  running = {
    end: () => {
      controller.abort();
      return code.catch(() => 2);
    },
  };
  await Promise.race([code, expect.poll(() => out, { timeout: 20_000 }).toContain("Ctrl-C")]);
  return { out, url: /http\S+/.exec(out)?.[0] ?? "", messages: () => messages, code, input };
}

it("says where it listens and which token it takes, and ends when it is interrupted", async () => {
  const { out, url, code } = await start({}, { DOOMLOOP_TOKEN: "x".repeat(20) });

  expect(out).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+\nClients must send the token in DOOMLOOP_TOKEN\.\n/);
  expect(out).not.toContain("xxxx");
  const { status } = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${"x".repeat(20)}` } });
  expect(status).toBe(200);
  await running?.end();
  expect(await code).toBe(0);
});

it("needs no home folder if it is given a token, because a user of a container may have none", async () => {
  const noHome = () => {
    throw new Error("HOME is not set");
  };
  const { out } = await start({}, { DOOMLOOP_TOKEN: "x".repeat(20) }, noHome);

  expect(out).toContain("Listening on");
  await expect(start({}, {}, noHome)).rejects.toThrow(/DOOMLOOP_TOKEN or --token-file is required.*HOME is not set/);
});

it("ends with its standard input, if it is told to", async () => {
  const { input, code } = await start({ endWithStdin: true });
  input.end();

  expect(await code).toBe(0);
});

it("makes a token where none is given, in a file that only the user can read", async () => {
  const { out } = await start();

  expect(out).toContain(`Clients must send the token in ${join(folder, "state", "serve-token")}.`);
});

it("writes what it decides as lines of JSON", async () => {
  const { url, messages } = await start({}, { DOOMLOOP_TOKEN: "x".repeat(20) });
  const events = [0, 1, 2].flatMap((at) => [
    { type: "call", id: `${at}`, tool: "read_file", args: { path: "secret.txt" } },
    { type: "result", id: `${at}`, output: "the same text as before" },
  ]);
  const headers = { authorization: `Bearer ${"x".repeat(20)}` };
  await fetch(`${url}/v1/runs/a/events`, { method: "POST", headers, body: JSON.stringify({ events }) });

  const [line = ""] = messages().split("\n");
  expect(JSON.parse(line)).toMatchObject({ level: "info", event: "decision", run: "a", action: "nudge" });
  expect(messages()).not.toContain("secret");
});

it("takes policies from a file", async () => {
  const file = join(folder, "policies.json");
  writeFileSync(file, JSON.stringify({ policies: { team: { preset: "shadow" } } }));
  const { url } = await start({ policies: file }, { DOOMLOOP_TOKEN: "x".repeat(20) });
  const headers = { authorization: `Bearer ${"x".repeat(20)}` };
  const body = JSON.stringify({ events: [], policy: "balanced" });
  const response = await fetch(`${url}/v1/runs/a/events`, { method: "POST", headers, body });

  expect(await response.text()).toContain("known: team");
});

it("asks the endpoint that it is told, with the key of the environment, and says so", async () => {
  const seen: { url?: string | undefined; key?: string | undefined; body: { model?: string } }[] = [];
  const { url: origin, close } = await localServer(async (request, response) => {
    const body = JSON.parse((await request.toArray()).join(""));
    seen.push({ url: request.url, key: request.headers.authorization, body });
    response.end(JSON.stringify({ choices: [{ message: { content: '{"verdict":"working"}' } }] }));
  });
  const env = { DOOMLOOP_TOKEN: "x".repeat(20), DOOMLOOP_OPINION_KEY: "a-key" };
  const { out, url } = await start({ opinionUrl: `${origin}/v1`, opinionModel: "small", opinionShows: "shapes" }, env);
  const events = Array.from({ length: 6 }, (_, at) => [
    { type: "call", id: `${at}`, tool: "send_mail", args: { to: "kim" } },
    { type: "result", id: `${at}`, output: "sent" },
  ]).flat();
  const headers = { authorization: `Bearer ${"x".repeat(20)}` };
  await fetch(`${url}/v1/runs/a/events`, { method: "POST", headers, body: JSON.stringify({ events }) });

  expect(out).toContain(`Excerpts of runs are sent to ${origin}.`);
  await expect
    .poll(() => seen)
    .toMatchObject([{ url: "/v1/chat/completions", key: "Bearer a-key", body: { model: "small" } }]);
  expect(JSON.stringify(seen)).not.toContain("kim");
  await close();
});

it.each<[string, Partial<ServeDecisionsOptions>, Record<string, string>, string]>([
  ["an address without a port", { listen: "127.0.0.1" }, {}, "--listen: an address and a port are required"],
  ["a name for an address", { listen: "example.com:80" }, {}, "--listen: an address and a port are required"],
  ["an open address without TLS", { listen: "0.0.0.0:0" }, {}, "--tls-cert and --tls-key are required, or --insecure"],
  ["a certificate without its key", { tlsCert: "a" }, {}, "required together"],
  ["a certificate that is not there", { tlsCert: "nosuch", tlsKey: "nosuch" }, {}, "cannot read nosuch"],
  ["a token that is too short", {}, { DOOMLOOP_TOKEN: "short" }, "at least 16 characters"],
  ["a token file that is not there", { tokenFile: "nosuch" }, {}, "there is no such file"],
  ["a token that others can read", { tokenFile: "OPEN" }, {}, "only you can read"],
  ["a certificate that is none", { tlsCert: "PACKAGE", tlsKey: "PACKAGE" }, {}, "a certificate and its key"],
  ["policies that are not there", { policies: "nosuch" }, {}, "cannot read nosuch"],
  ["policies that make no sense", { policies: "PACKAGE" }, {}, "--policies"],
  ["a fleet without a key", { fleet: "redis://127.0.0.1:1" }, {}, "--key-file, with the workers' key, is required"],
  ["a fleet that is no Redis", { fleet: "http://localhost", keyFile: "OPEN" }, {}, "--fleet: an address that begins"],
  ["a swarm without a fleet", { tenant: "research" }, {}, "--tenant: --fleet is required, too"],
  ["a key without a fleet", { keyFile: "OPEN" }, {}, "--key-file: --fleet is required, too"],
  ["an authority that is not there", { store: "redis://127.0.0.1:1", ca: "nosuch" }, {}, "--ca: cannot read nosuch"],
  [
    "a key that is not there",
    { fleet: "redis://127.0.0.1:1", keyFile: "nosuch" },
    {},
    "--key-file: cannot read nosuch",
  ],
  ["a model without an address", { opinionModel: "m" }, {}, "--opinion-url and --opinion-model are required together"],
  ["an address without a model", { opinionUrl: "http://127.0.0.1:1/v1" }, {}, "--opinion-model are required together"],
  [
    "an address that is none",
    { opinionUrl: "example", opinionModel: "m" },
    {},
    "--opinion-url: a http or https address",
  ],
  [
    "an address with a password",
    { opinionUrl: "http://a:b@127.0.0.1/v1", opinionModel: "m" },
    {},
    "without a user and a password",
  ],
  [
    "a key that cannot be sent",
    { opinionUrl: "http://127.0.0.1:1/v1", opinionModel: "m" },
    { DOOMLOOP_OPINION_KEY: "two words" },
    "one word of ASCII characters",
  ],
  ["a store that is no Redis", { store: "http://localhost" }, {}, "begins with redis://"],
])("refuses %s", async (_, options, env, words) => {
  const open = join(folder, "open");
  writeFileSync(open, "a-token-that-is-long-enough", { mode: 0o644 });
  const named = { PACKAGE: new URL(import.meta.url).pathname, OPEN: open } as Readonly<Record<string, string>>;
  const given = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, named[`${value}`] ?? value]));

  await expect(start(given, env)).rejects.toThrow(words);
});
