import type { SecondOpinion } from "../host/second-opinion.ts";
import { DoomloopError } from "../index.ts";
import type { OpinionRequest } from "./opinion-requests.ts";
import { type SecondOpinionOptions, secondOpinion } from "./second-opinion.ts";

/** A model of the AI SDK, such as `openai("gpt-4.1-mini")`. */
interface AiSdkModel {
  readonly specificationVersion: string;
  doGenerate(options: never): PromiseLike<{ readonly content: readonly { readonly type: string }[] }>;
}

/** A client of the `openai` package, or one with the same chat completions. */
interface OpenAiClient {
  readonly chat: { readonly completions: { create(body: never, options?: never): PromiseLike<unknown> } };
}

/** A client of `@anthropic-ai/sdk`. */
interface AnthropicClient {
  readonly messages: { create(body: never, options?: never): PromiseLike<unknown> };
}

type Limits = Omit<SecondOpinionOptions, "ask">;

/** A second opinion by a model of the AI SDK. */
export function askModel(model: AiSdkModel, limits?: Limits): SecondOpinion;
/** A second opinion by a model of a provider, through its client: `askModel(new OpenAI(), "gpt-4.1-mini")`. */
export function askModel(client: OpenAiClient | AnthropicClient, model: string, limits?: Limits): SecondOpinion;
export function askModel(
  by: AiSdkModel | OpenAiClient | AnthropicClient,
  model?: string | Limits,
  limits: Limits = {},
): SecondOpinion {
  if (typeof by === "object" && by !== null) {
    if ("doGenerate" in by) return secondOpinion({ ...(model as Limits | undefined), ask: askAiSdk(by) });
    if (typeof model === "string" && "chat" in by) return secondOpinion({ ...limits, ask: askOpenAi(by, model) });
    if (typeof model === "string" && "messages" in by)
      return secondOpinion({ ...limits, ask: askAnthropic(by, model) });
  }
  throw new DoomloopError(
    "invalid-option",
    "askModel: a model of the AI SDK is required, or a client of OpenAI or Anthropic with the name of a model",
  );
}

type Ask = SecondOpinionOptions["ask"];

function askAiSdk(model: AiSdkModel): Ask {
  return async ({ system, message, maxTokens }, abortSignal) => {
    const prompt = [
      { role: "system", content: system },
      { role: "user", content: [{ type: "text", text: message }] },
    ];
    const { content } = await model.doGenerate({ prompt, maxOutputTokens: maxTokens, abortSignal } as never);
    return textIn(content);
  };
}

function askOpenAi({ chat }: OpenAiClient, model: string): Ask {
  return async (request, signal) => {
    const body = { model, messages: chatMessages(request), max_completion_tokens: request.maxTokens };
    return contentOf(await chat.completions.create(body as never, onceWith(signal)));
  };
}

function askAnthropic({ messages }: AnthropicClient, model: string): Ask {
  return async ({ system, message, maxTokens }, signal) => {
    const body = {
      model,
      max_tokens: maxTokens,
      system: [{ type: "text", text: system, cache_control: { type: "ephemeral" } }],
      messages: [{ role: "user", content: message }],
    };
    const { content } = (await messages.create(body as never, onceWith(signal))) as { content?: unknown };
    return textIn(content);
  };
}

/** A question is of use for seconds only: it is not asked again. */
function onceWith(signal: AbortSignal): never {
  return { signal, maxRetries: 0 } as never;
}

/** What a chat completion is asked. */
export function chatMessages({ system, message }: Pick<OpinionRequest, "system" | "message">) {
  return [
    { role: "system", content: system },
    { role: "user", content: message },
  ];
}

/** The text of a chat completion; empty if there is none, as with a model that was still thinking at its limit. */
export function contentOf(completion: unknown): unknown {
  const { choices } = (completion ?? {}) as { choices?: readonly { message?: { content?: unknown } }[] };
  return choices?.[0]?.message?.content ?? "";
}

/** The texts among the parts of an answer. */
function textIn(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  return parts
    .map((part: { type?: unknown; text?: unknown }) => (part?.type === "text" ? String(part.text) : ""))
    .join("");
}
