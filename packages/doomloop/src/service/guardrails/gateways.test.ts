import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryConversation, type ScriptedTurn } from "../../../../../test/arbitrary-conversation.ts";
import {
  completions,
  type Message,
  messages,
  responses,
  type WireFormat,
} from "../../../../../test/gateway-formats.ts";
import { litellmInputs, withTexts } from "../../../../../test/litellm-proxy.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";

import type { GuardConfig } from "../../counting/configured-guard.ts";
import { type Conversations, createConversations } from "./conversations.ts";
import { answerLitellm } from "./litellm.ts";
import { answerPortkey } from "./portkey.ts";

/** Sends a request through a gateway. Returns what the model gets; undefined if the gateway refuses it. */
type Send = (conversations: Conversations, body: Message) => Promise<Message | undefined>;

const portkey: Send = async (conversations, json) => {
  const answer = await answerPortkey(conversations, {
    request: { json },
    eventType: "beforeRequestHook",
    metadata: {},
  });
  if (!answer.verdict) expect(answer.data?.explanation).toBeTruthy();
  return answer.verdict ? (answer.transformedData?.request.json ?? json) : undefined;
};

const litellm =
  (api: "chat" | "messages"): Send =>
  async (conversations, body) => {
    const answer = await answerLitellm(conversations, { input_type: "request", ...litellmInputs(body, api) });
    if (answer.action === "BLOCKED") expect(answer.blocked_reason).toBeTruthy();
    if (answer.action === "BLOCKED") return undefined;
    return answer.texts === undefined ? body : withTexts(body, api, answer.texts);
  };

const faults: unknown[] = [];
const serviceOf = (policy: GuardConfig, store?: Map<string, string>): Conversations =>
  createConversations({
    policy,
    now: Date.now,
    onFault: (fault) => void faults.push(fault),
    ...(store && {
      store: { load: async (run) => store.get(run), save: async (run, text) => void store.set(run, text) },
    }),
  });

const copyOf = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;
const listIn = (body: Message, { field }: WireFormat): Message[] => body[field] as Message[];
const hasWords = (value: unknown): boolean => JSON.stringify(value).includes("[doomloop] ");
/** A list without what we have said. */
const withoutWords = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/(?:\\n\\n)?\[doomloop\] (?:[^"\\]|\\.)*/g, "");

interface Play {
  readonly send: Send;
  readonly format: WireFormat;
  /** The service that gets the next request. */
  service(): Conversations;
}

/** Plays a conversation as an agent does that keeps it and never hears of the gateway. Returns how often it was refused. */
async function play(turns: readonly ScriptedTurn[], { send, format, service }: Play): Promise<number> {
  const list: Message[] = [];
  let before: Message[] = [];
  let refusals = 0;
  let isOver = false;
  for (const turn of turns) {
    if (turn.by === "user") isOver = false;
    if (isOver) continue;
    if (turn.by !== "model") {
      list.push(format.spoken(turn));
      continue;
    }
    const body: Message = { model: "m", ...(format === messages && { system: "Be brief." }), [format.field]: list };
    const conversations = service();
    const sent = await send(conversations, copyOf(body));
    expect(await send(conversations, copyOf(body))).toEqual(sent);
    if (sent === undefined) {
      expect(hasWords(before)).toBe(true);
      refusals++;
      isOver = true;
      continue;
    }
    const items = listIn(sent, format);
    expect(await send(conversations, copyOf(sent))).toEqual(sent);
    expect(format.faultsOf(items)).toEqual([]);
    expect(items.slice(0, before.length)).toEqual(before);
    expect(withoutWords(sent)).toBe(JSON.stringify(body));
    before = items;
    list.push(...format.answer(turn), ...format.results(turn.calls));
  }
  return refusals;
}

const policies = fc.constantFrom<GuardConfig>(
  { levels: { told: 3, refused: 5, ended: 6 } },
  {},
  { preset: "aggressive" },
);
/** All gateways together run as often as other properties. */
const numRuns = Math.ceil(propertyRuns() / 5);
const GATEWAYS = [
  ["Chat Completions through Portkey", portkey, completions],
  ["Responses through Portkey", portkey, responses],
  ["Messages through Portkey", portkey, messages],
  ["Chat Completions through LiteLLM", litellm("chat"), completions],
  ["Messages through LiteLLM", litellm("messages"), messages],
] as const;

describe.each(GATEWAYS)("%s", (_name, send, format) => {
  it("stay valid, extend what was sent before, and are answered alike when asked again", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryConversation(), policies, async (turns, policy) => {
        const conversations = serviceOf(policy);
        await play(turns, { send, format, service: () => conversations });
        expect(faults).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("extend what was sent before in whichever process, if there is a store", async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryConversation(),
        policies,
        fc.infiniteStream(fc.nat(2)),
        async (turns, policy, draws) => {
          const store = new Map<string, string>();
          const replicas = [0, 1, 2].map(() => serviceOf(policy, store));
          await play(turns, { send, format, service: () => replicas[draws.next().value!]! });
          expect(faults).toEqual([]);
        },
      ),
      { numRuns: Math.ceil(numRuns / 2) },
    );
  });
});
