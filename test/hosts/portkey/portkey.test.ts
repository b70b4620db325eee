import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  gatewayHeaders,
  type Listening,
  type Script,
  startGateway,
  startService,
  startUpstream,
  type Upstream,
} from "./gateway-setup.ts";

const LIMIT = 25;
const loop: Script = () => ({ tool: "read_file", args: { path: "a.ts" } });
const honest: Script = (request) =>
  request > 8 ? { text: "Done." } : { tool: "read_file", args: { path: `file-${request}.ts` } };
/** Goes in circles for a while, and then ends by itself. */
const slow: Script = (request) => (request > 8 ? { text: "Done." } : loop(request));

/** How an agent ended. */
interface Run {
  readonly requests: number;
  readonly text?: string | null | undefined;
  readonly error?: { readonly status?: number | undefined; readonly message: string } | undefined;
}

/** An agent that knows nothing of gateways and guards: its own loop over a client of the provider. */
type Agent = (gateway: number, headers: Record<string, string>, onRequest: (count: number) => unknown) => Promise<Run>;

const toolResult = (args: unknown): string => `the content of ${(args as { path: string }).path}`;

const chatAgent =
  (stream: boolean): Agent =>
  async (port, defaultHeaders, onRequest) => {
    const client = new OpenAI({
      baseURL: `http://127.0.0.1:${port}/v1`,
      apiKey: "none",
      defaultHeaders,
      maxRetries: 0,
    });
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: "user", content: "Fix the login bug." }];
    for (let requests = 1; requests <= LIMIT; requests++) {
      await onRequest(requests);
      const request = { model: "scripted", messages };
      const answer = stream
        ? client.chat.completions.stream(request).finalChatCompletion()
        : client.chat.completions.create(request);
      const { choices } = await answer.catch(() => ({ choices: undefined }));
      if (choices === undefined) return { requests, error: await answer.then(undefined, (error) => error) };
      const { message } = choices[0]!;
      if (!message.tool_calls?.length) return { requests, text: message.content };
      messages.push({ role: "assistant", content: message.content, tool_calls: message.tool_calls });
      for (const call of message.tool_calls) {
        const args = call.type === "function" ? JSON.parse(call.function.arguments) : {};
        messages.push({ role: "tool", tool_call_id: call.id, content: toolResult(args) });
      }
    }
    return { requests: LIMIT };
  };

const messagesAgent: Agent = async (port, defaultHeaders, onRequest) => {
  const client = new Anthropic({ baseURL: `http://127.0.0.1:${port}`, apiKey: "none", defaultHeaders, maxRetries: 0 });
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Fix the login bug." }];
  for (let requests = 1; requests <= LIMIT; requests++) {
    await onRequest(requests);
    const answer = client.messages.create({ model: "scripted", max_tokens: 100, messages });
    const message = await answer.catch(() => undefined);
    if (message === undefined) return { requests, error: await answer.then(undefined, (error) => error) };
    const calls = message.content.filter((block) => block.type === "tool_use");
    const text = message.content.find((block) => block.type === "text")?.text;
    if (calls.length === 0) return { requests, text };
    const content = calls.map(({ id, input }) => ({
      ...{ type: "tool_result" as const, tool_use_id: id },
      content: toolResult(input),
    }));
    messages.push({ role: "assistant", content: message.content }, { role: "user", content });
  }
  return { requests: LIMIT };
};

/** The requests, counted from 1, in which words of ours are, and how often. */
const toldIn = ({ bodies }: Upstream): Record<number, number> =>
  Object.fromEntries(
    bodies.flatMap((body, at) => {
      const count = JSON.stringify(body.messages).split("[doomloop] ").length - 1;
      return count === 0 ? [] : [[at + 1, count]];
    }),
  );

let gateway: Listening;
let service: Listening;
/** Ends loops without waiting for the time that an end takes. */
let quick: Listening;
let upstream: Upstream;
beforeAll(async () => {
  [gateway, service, quick] = await Promise.all([startGateway(), startService(), startService("quick")]);
});
afterAll(() => Promise.all([gateway, service, quick].map((each) => each?.kill())));
afterEach(() => upstream?.end());

const AGENTS = [
  ["openai", "openai", chatAgent(false)],
  ["openai, streaming", "openai", chatAgent(true)],
  ["@anthropic-ai/sdk", "anthropic", messagesAgent],
] as const;

describe.each(AGENTS)("%s through Portkey", (_name, provider, agent) => {
  const run = (port: number | undefined, onRequest: (count: number) => unknown = () => {}): Promise<Run> =>
    agent(gateway.port, gatewayHeaders(upstream.port, port, provider), onRequest);

  it("is sent on unchanged in a healthy run", async () => {
    upstream = await startUpstream(honest, "healthy");
    expect(await run(undefined)).toEqual({ requests: 9, text: "Done." });
    const before = JSON.stringify(upstream.bodies);
    await upstream.end();
    upstream = await startUpstream(honest, "healthy");

    expect(await run(service.port)).toEqual({ requests: 9, text: "Done." });
    expect(JSON.stringify(upstream.bodies)).toBe(before);
  });

  it("gets words at its fourth request, at the same place from then on", async () => {
    upstream = await startUpstream(slow);

    expect(await run(service.port)).toMatchObject({ requests: 9, text: "Done." });
    expect(toldIn(upstream)).toEqual({ 4: 1, 5: 1, 6: 2, 7: 2, 8: 2, 9: 2 });
    const lists = upstream.bodies.map(({ messages = [] }) => messages);
    for (const [at, before] of lists.slice(0, -1).entries())
      expect(lists[at + 1]!.slice(0, before.length)).toEqual(before);
  });

  it("is refused by the gateway if it does not listen", async () => {
    upstream = await startUpstream(loop);
    const { requests, error } = await run(quick.port);

    expect(requests).toBeLessThanOrEqual(8);
    expect(upstream.bodies).toHaveLength(requests - 1);
    expect(error?.status).toBe(446);
    expect(toldIn(upstream)[requests - 1]).toBeGreaterThan(0);
  });

  it("goes on if the service dies in the middle, and if there never was one", async () => {
    upstream = await startUpstream(slow);
    const mortal = await startService();
    const { port } = mortal;
    const dead = await run(port, (count) => (count === 6 ? mortal.kill() : undefined));
    const told = toldIn(upstream);

    expect(dead).toMatchObject({ requests: 9, text: "Done." });
    expect(Object.keys(told)).toEqual(["4", "5"]);
    await upstream.end();
    upstream = await startUpstream(slow);
    expect(await run(port)).toMatchObject({ requests: 9, text: "Done." });
    expect(toldIn(upstream)).toEqual({});
  });
});

/** Posts a request by hand, to see all of the gateway's answer. */
async function post(path: string, body: object, port: number): Promise<{ status: number; json: unknown }> {
  const answer = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...gatewayHeaders(upstream.port, port, "openai") },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: await answer.json() };
}

describe("Portkey's own answers", () => {
  it("contain our explanation when it refuses a request", async () => {
    upstream = await startUpstream(loop);
    const messages: object[] = [{ role: "user", content: "Fix the login bug." }];
    let refused: unknown;
    for (let count = 0; count < LIMIT && refused === undefined; count++) {
      const { status, json } = await post("/v1/chat/completions", { model: "scripted", messages }, quick.port);
      if (status === 446) refused = json;
      const { message } = (json as { choices?: { message: { tool_calls: { id: string }[] } }[] }).choices?.[0] ?? {};
      const [call] = message?.tool_calls ?? [];
      messages.push({ ...message }, { role: "tool", tool_call_id: call?.id, content: "as before" });
    }

    expect(refused).toMatchObject({ error: { type: "hooks_failed" } });
    const [hook] = (refused as { hook_results: { before_request_hooks: { checks: { data: unknown }[] }[] } })
      .hook_results.before_request_hooks;
    expect(hook?.checks[0]?.data).toMatchObject({
      responseData: { status: "LOOP_DETECTED", explanation: expect.stringContaining("read_file") },
    });
  });

  it("come without asking us for Responses", async () => {
    upstream = await startUpstream(loop);
    const input = Array.from({ length: 6 }, (_, at) => [
      { type: "function_call", call_id: `c${at}`, name: "read_file", arguments: "{}" },
      { type: "function_call_output", call_id: `c${at}`, output: "as before" },
    ]).flat();
    await post("/v1/responses", { model: "scripted", input }, quick.port);

    expect(upstream.bodies).toMatchObject([{ input }]);
  });
});
