import { describe, expect, it } from "vitest";
import { timesAsLong } from "../../../../../test/shortest-time.ts";
import type { Conversations, Owner } from "./conversations.ts";
import { createConversations } from "./conversations.ts";
import { messageListOf } from "./message-list.ts";
import { answerPortkey } from "./portkey.ts";

const conversations = (): Conversations =>
  createConversations({
    policy: { levels: { told: 3, refused: 5, ended: 6 } },
    now: () => 0,
    onFault(fault) {
      throw fault;
    },
  });

const call = (at: number): object => ({
  ...{ role: "assistant", content: null },
  tool_calls: [{ id: `c${at}`, type: "function", function: { name: "read_file", arguments: '{"path":"a.ts"}' } }],
});
const laps = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => [
    call(at),
    { role: "tool", tool_call_id: `c${at}`, content: "as before" },
  ]).flat();
const chat = (count: number): object => ({
  ...{ model: "m", temperature: 0, stream: true },
  messages: [{ role: "user", content: "Fix it." }, ...laps(count)],
});
const items = (count: number): object[] => [
  { role: "user", content: "Fix it." },
  ...Array.from({ length: count }, (_, at) => [
    { type: "function_call", call_id: `c${at}`, name: "read_file", arguments: '{"path":"a.ts"}' },
    { type: "function_call_output", call_id: `c${at}`, output: "as before" },
  ]).flat(),
];
const blocks = (count: number): object[] => [
  { role: "user", content: "Fix it." },
  ...Array.from({ length: count }, (_, at) => [
    { role: "assistant", content: [{ type: "tool_use", id: `c${at}`, name: "read_file", input: { path: "a.ts" } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `c${at}`, content: "as before" }] },
  ]).flat(),
];
const asked = (json: unknown, more: object = {}): object => ({
  ...{ request: { json, text: "", isStreamingRequest: false, isTransformed: false }, response: { json: {} } },
  ...{ provider: "openai", requestType: "chatComplete", metadata: {}, eventType: "beforeRequestHook" },
  ...more,
});

async function ownerOf(json: object, metadata: object): Promise<Owner | undefined> {
  let found: Owner | undefined;
  const spy: Conversations = {
    judge: async (list, owner) => {
      found = owner;
      return { items: list };
    },
    tidy() {},
    size: 0,
  };
  await answerPortkey(spy, asked(json, { metadata }));
  return found;
}

describe("Portkey's webhook", () => {
  it("answers with the whole request, words in a result, and everything else as it was", async () => {
    const { transformedData, verdict } = await answerPortkey(conversations(), asked(chat(3)));
    const { messages, ...rest } = transformedData!.request.json as { messages: { content: string }[] };

    expect(verdict).toBe(true);
    expect(rest).toEqual({ model: "m", temperature: 0, stream: true });
    expect(messages.slice(0, -1)).toEqual((chat(3) as { messages: object[] }).messages.slice(0, -1));
    expect(messages.at(-1)?.content).toMatch(/^as before\n\n\[doomloop\] /);
  });

  it("refuses a request with the status of our stops and words for people", async () => {
    const own = conversations();
    let answer = await answerPortkey(own, asked(chat(0)));
    for (let count = 1; count < 20 && answer.verdict; count++) answer = await answerPortkey(own, asked(chat(count)));

    expect(answer).toEqual({
      verdict: false,
      data: { status: "LOOP_DETECTED", explanation: expect.stringContaining("read_file") },
    });
  });

  it.each([
    ["an answer of the model", asked(chat(3), { eventType: "afterRequestHook" })],
    ["a prompt", asked({ prompt: "x" })],
    ["texts to embed", asked({ input: ["a", "b"] })],
    ["a response that the provider keeps", asked({ input: items(3), previous_response_id: "r1" })],
    ["a conversation that the provider keeps", asked({ input: items(3), conversation: "c1" })],
    ["a thread that the provider keeps", asked({ messages: blocks(3), thread: { type: "continue" } })],
    ["items that the provider keeps", asked({ input: [...items(3), { type: "item_reference", id: "i" }] })],
    ["results without their calls", asked({ messages: laps(3).slice(1) })],
    ["messages that are none", asked({ messages: [...laps(3), null] })],
    ["no request", {}],
    ["null", null],
  ])("lets a request pass with %s", async (_, body) => {
    const own = conversations();

    expect(await answerPortkey(own, body)).toEqual({ verdict: true });
    expect(own.size).toBe(0);
  });

  it("knows users and sessions by what the client says about itself", async () => {
    expect(await ownerOf(chat(1), { _user: "u", session_id: "s" })).toEqual({
      account: ["u", null, null, null, null, null],
      session: "s",
    });
    const { account } = (await ownerOf({ ...chat(1), user: "a", metadata: { user_id: "b" } }, {}))!;
    expect(account.filter(Boolean)).toEqual(["a", "b"]);
  });

  it("knows a failure by its flag in the Messages API", async () => {
    const failed = (count: number): object => ({
      messages: blocks(count).map((message) =>
        JSON.parse(JSON.stringify(message).replace('"as before"', '"as before","is_error":true')),
      ),
    });
    const { transformedData } = await answerPortkey(conversations(), asked(failed(3)));

    expect(JSON.stringify(transformedData)).toContain("failed");
  });
});

describe("hostile requests", () => {
  it.each([
    ["nesting", `${'{"content":['.repeat(50_000)}${"]}".repeat(50_000)}`],
    ["a prototype", '{"__proto__":{"role":"tool"},"constructor":{"prototype":{"x":1}}}'],
  ])("change nothing with %s", async (_, message) => {
    const body = `{"eventType":"beforeRequestHook","request":{"json":{"messages":[${message},${laps(3).map((each) => JSON.stringify(each))}]}}}`;
    const own = createConversations({ policy: {}, now: () => 0, onFault() {} });

    expect((await answerPortkey(own, JSON.parse(body))).verdict).toBe(true);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it.each([
    [
      "calls",
      [{ role: "assistant", content: null, tool_calls: Array(4_001).fill({ id: "c", function: { name: "t" } }) }],
    ],
    [
      "blocks",
      [{ role: "assistant", content: Array(4_001).fill({ type: "tool_use", id: "c", name: "t", input: {} }) }],
    ],
    ["messages", Array(4_001).fill({ role: "user", content: "a" })],
  ])("pass with more %s than any agent has", async (_, messages) => {
    const own = conversations();

    expect(await answerPortkey(own, asked({ messages: [...messages, ...laps(1)] }))).toEqual({ verdict: true });
    expect(own.size).toBe(0);
  });

  it("are read in a time that grows with their length, not faster", () => {
    const listOf = (calls: number) => {
      const numbers = Array.from({ length: calls }, (_, at) => at);
      const content = [
        ...numbers.map((at) => ({ type: "mcp_tool_use", id: `c${at}`, name: "t", input: {} })),
        ...numbers.map((at) => ({ type: "mcp_tool_result", tool_use_id: `c${calls - 1 - at}`, content: "x" })),
        { type: "tool_use", id: "c", name: "t", input: {} },
      ];
      return () => void messageListOf({ messages: [{ role: "assistant", content }] });
    };

    expect(timesAsLong(listOf(8_000), listOf(1_000), 24)).toBeLessThan(24);
  });
});
