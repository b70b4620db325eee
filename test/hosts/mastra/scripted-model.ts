import { AsyncLocalStorage } from "node:async_hooks";
import { MockLanguageModelV3 } from "ai/test";
import {
  answerAt,
  type HostRequest,
  type ScriptedAnswer,
  type WireMessage,
  type WirePart,
} from "../../contracts/adapter-driver.ts";

/** What the model says in a run, and what it was asked. */
export interface Script {
  readonly answers: readonly ScriptedAnswer[];
  readonly requests: HostRequest[];
}

/** The script of the run that is going on: one agent serves many at a time. */
export const scripts = new AsyncLocalStorage<Script>();

const usage = { inputTokens: { total: 1, noCache: 1 }, outputTokens: { total: 1, text: 1 } };

/** A model that answers from a script. */
export function scriptedModel() {
  return new MockLanguageModelV3({
    async doGenerate(request: object) {
      const { content, finishReason } = next(request);
      return { content, finishReason, usage, warnings: [] };
    },
    async doStream(request: object) {
      const { content, finishReason } = next(request);
      const finish = { type: "finish", finishReason, usage };
      const chunks = [{ type: "stream-start", warnings: [] }, ...content.flatMap(streamed), finish];
      return { stream: new ReadableStream({ start: (controller) => fill(controller, chunks) }) };
    },
  } as never);
}

function fill(controller: ReadableStreamDefaultController<object>, chunks: readonly object[]): void {
  for (const chunk of chunks) controller.enqueue(chunk);
  controller.close();
}

function next(request: object) {
  const { answers, requests } = scripts.getStore()!;
  const { prompt, tools } = request as { prompt: PromptMessage[]; tools?: unknown };
  const raw = withoutClock({ prompt, tools });
  requests.push({ raw, messages: prompt.map(readMessage) });
  const { text, calls = [] } = answerAt(answers, requests.length - 1);
  const spoken = text === undefined ? [] : [{ type: "text", text }];
  const reason = calls.length > 0 ? "tool-calls" : "stop";
  return { content: [...spoken, ...calls.flatMap(callParts)], finishReason: { unified: reason, raw: reason } };
}

type Calls = NonNullable<ScriptedAnswer["calls"]>;

function callParts({ id, tool, args, providerOutput }: Calls[number]): object[] {
  const named = { toolCallId: id, toolName: tool };
  const call = { type: "tool-call", ...named, input: JSON.stringify(args) };
  if (providerOutput === undefined) return [call];
  const isTheirs = { providerExecuted: true };
  return [
    { ...call, ...isTheirs },
    { type: "tool-result", ...named, result: providerOutput, ...isTheirs },
  ];
}

function streamed(part: object, at: number): object[] {
  if (!("text" in part)) return [part];
  const id = `text-${at}`;
  return [
    { type: "text-start", id },
    { type: "text-delta", id, delta: part.text },
    { type: "text-end", id },
  ];
}

const CLOCKS = ["createdAt", "timestamp", "messageId", "runId", "traceId", "spanId", "startedAt", "endedAt"];

/** A copy without what is the clock's or random. */
export function withoutClock<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value, (key, inner) => (CLOCKS.includes(key) ? undefined : inner)) ?? "null");
}

interface PromptMessage {
  readonly role: WireMessage["role"];
  readonly content: string | readonly PromptPart[];
}

interface PromptPart {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly output?: { readonly value?: unknown };
}

function readMessage({ role, content }: PromptMessage): WireMessage {
  return { role, parts: typeof content === "string" ? [{ type: "text", text: content }] : content.flatMap(readPart) };
}

function readPart({ type, text = "", toolCallId: id = "", output }: PromptPart): WirePart[] {
  if (type === "text") return [{ type, text }];
  if (type === "tool-call") return [{ type: "call", id }];
  if (type !== "tool-result") return [];
  const value = output?.value;
  return [{ type: "result", id, text: typeof value === "string" ? value : JSON.stringify(value) }];
}
