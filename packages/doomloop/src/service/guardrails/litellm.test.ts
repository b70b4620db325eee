import { describe, expect, it } from "vitest";
import type { Message } from "../../../../../test/gateway-formats.ts";
import { litellmInputs } from "../../../../../test/litellm-proxy.ts";
import type { Conversations, Owner } from "./conversations.ts";
import { createConversations } from "./conversations.ts";
import { answerLitellm } from "./litellm.ts";

const conversations = (): Conversations =>
  createConversations({
    policy: {},
    now: () => 0,
    onFault(fault) {
      throw fault;
    },
  });

const result = (at: number, content: unknown): Message[] => [
  {
    ...{ role: "assistant", content: "I look." },
    tool_calls: [{ id: `c${at}`, type: "function", function: { name: "read_file", arguments: '{"path":"a.ts"}' } }],
  },
  { role: "tool", tool_call_id: `c${at}`, content },
];
const chat = (contents: readonly unknown[]): Message => ({
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "Fix it." }] },
    ...contents.flatMap((content, at) => result(at, content)),
  ],
});
const asked = (body: Message, more: object = {}): object => ({
  ...{ input_type: "request", request_data: {}, request_headers: null, litellm_trace_id: "made-up" },
  ...litellmInputs(body, "chat"),
  ...more,
});

/** What the guardrail finds out about the owner. */
async function ownerOf(more: object): Promise<Owner | undefined> {
  let found: Owner | undefined;
  const spy: Conversations = {
    judge: async (items, owner) => {
      found = owner;
      return { items };
    },
    tidy() {},
    size: 0,
  };
  await answerLitellm(spy, asked(chat(["x"]), more));
  return found;
}

describe("LiteLLM's guardrail", () => {
  it("answers with as many texts as it got, and words in one of them", async () => {
    const own = conversations();
    const body = chat(Array(3).fill("the same text as before"));
    const { texts } = litellmInputs(body, "chat");
    const answer = await answerLitellm(own, asked(body));

    expect(answer.action).toBe("GUARDRAIL_INTERVENED");
    expect(answer.texts).toHaveLength(texts.length);
    const changed = answer.texts!.flatMap((text, at) => (text === texts[at] ? [] : [[at, text.slice(0, 35)]]));
    expect(changed).toEqual([[texts.length - 1, "the same text as before\n\n[doomloop]"]]);
  });

  it("leaves texts alone that only look like the result", async () => {
    const own = conversations();
    const body = chat(Array(3).fill("I look."));
    const { texts } = await answerLitellm(own, asked(body));

    expect(texts?.findIndex((text) => text.includes("[doomloop]"))).toBe(7);
  });

  it("appends words to the last text of a result with several", async () => {
    const content = [
      { type: "text", text: "the same text" },
      { type: "text", text: "as before" },
    ];
    const { texts } = await answerLitellm(conversations(), asked(chat(Array(3).fill(content))));

    expect(texts?.at(-1)).toMatch(/^as before\n\n\[doomloop\] /);
  });

  it.each([
    ["an answer of the model", asked(chat(Array(3).fill("x")), { input_type: "response" })],
    ["no messages", { input_type: "request", texts: ["a"] }],
    ["no texts", asked(chat(Array(3).fill("x")), { texts: null })],
    ["other texts", asked(chat(Array(3).fill("x")), { texts: ["x"] })],
    [
      "a text too many",
      asked(chat(Array(3).fill("x")), { texts: [...litellmInputs(chat(Array(3).fill("x")), "chat").texts, "x"] }),
    ],
    ["results that are images", asked(chat(Array(3).fill([{ type: "image_url", image_url: { url: "data:" } }])))],
    ["empty results", asked(chat(Array(3).fill("")))],
    ["no object", []],
    ["null", null],
  ])("lets a request pass with %s", async (_, body) => {
    expect(await answerLitellm(conversations(), body)).toEqual({ action: "NONE" });
  });

  it("lets Responses pass, because results are not among their texts", async () => {
    const input = Array.from({ length: 5 }, (_, at) => [
      { type: "function_call", call_id: `c${at}`, name: "read_file", arguments: "{}" },
      { type: "function_call_output", call_id: `c${at}`, output: "the same text as before" },
    ]);
    const body = { input: [{ role: "user", content: "Fix it." }, ...input.flat()] };
    const own = conversations();

    expect(await answerLitellm(own, { input_type: "request", ...litellmInputs(body, "responses") })).toEqual({
      action: "NONE",
    });
    expect(own.size).toBe(0);
  });

  it("knows whose key it is, and a session only if the client named it", async () => {
    const request_data = { user_api_key_hash: "h", user_api_key_end_user_id: "u", user_api_key_alias: "mine" };

    expect(await ownerOf({ request_data })).toEqual({ account: ["h", null, "u", null], session: undefined });
    expect(await ownerOf({ request_headers: { "X-LiteLLM-Session-Id": "s" } })).toMatchObject({ session: "s" });
    expect(await ownerOf({ request_headers: { "x-claude-code-session-id": "s" } })).toMatchObject({ session: "s" });
    expect(await ownerOf({ request_headers: { "x-app-session-id": "[present]" } })).toMatchObject({
      session: undefined,
    });
  });
});
