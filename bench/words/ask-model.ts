import type { ChatMessage } from "./stages.ts";
import type { ModelCall, StuckConversation } from "./stuck-conversations.ts";

/** A model behind an OpenAI-compatible address. */
export interface ModelAddress {
  /** Such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly temperature: number;
}

/** What the model does next: the calls that it makes; none if it answers with text. */
export async function askModel(
  { url, model, key, temperature }: ModelAddress,
  messages: readonly ChatMessage[],
  tools: StuckConversation["tools"],
): Promise<readonly ModelCall[]> {
  const response = await fetch(`${url.replace(/\/$/, "")}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, temperature, messages, tools: Object.entries(tools).map(toolOf) }),
    signal: AbortSignal.timeout(300_000),
  });
  if (!response.ok) throw new Error(`the model answers ${response.status}: ${(await response.text()).slice(0, 200)}`);
  const answer = (await response.json()) as { choices?: { message?: { tool_calls?: unknown } }[] };
  const calls = answer.choices?.[0]?.message?.tool_calls;
  return Array.isArray(calls) ? calls.map(callOf) : [];
}

function toolOf([name, fields]: [string, readonly string[]]): object {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: "string" }]));
  return {
    type: "function",
    function: { name, parameters: { type: "object", properties, required: fields } },
  };
}

function callOf(call: { function?: { name?: string; arguments?: string } }): ModelCall {
  const { name = "", arguments: text = "{}" } = call.function ?? {};
  try {
    return { tool: name, args: JSON.parse(text) as Record<string, unknown> };
  } catch {
    return { tool: name, args: { text } };
  }
}
