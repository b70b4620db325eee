import type { ScriptedAnswer, WireMessage, WirePart } from "../../contracts/adapter-driver.ts";

/** A message to a language model of the AI SDK, whichever framework sends it. */
export interface PromptMessage {
  readonly role: WireMessage["role"];
  readonly content: string | readonly PromptPart[];
}

interface PromptPart {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly output?: { readonly value?: unknown; readonly reason?: string };
}

export function readPrompt(prompt: readonly PromptMessage[]): WireMessage[] {
  return prompt.map(({ role, content }) => ({
    role,
    parts: typeof content === "string" ? [{ type: "text", text: content }] : content.flatMap(readPart),
  }));
}

function readPart({ type, text = "", toolCallId: id = "", output }: PromptPart): WirePart[] {
  if (type === "text") return [{ type, text }];
  if (type === "tool-call") return [{ type: "call", id }];
  if (type !== "tool-result") return [];
  const value = output?.value ?? output?.reason;
  return [{ type: "result", id, text: typeof value === "string" ? value : JSON.stringify(value) }];
}

/** What the model answers, part by part. */
export function answerParts({ text, reasoning, calls = [] }: ScriptedAnswer): object[] {
  const called = calls.flatMap(({ id, tool, args, providerOutput }): object[] => {
    const named = { toolCallId: id, toolName: tool };
    const call = { type: "tool-call", ...named, input: JSON.stringify(args) };
    if (providerOutput === undefined) return [call];
    const isTheirs = { providerExecuted: true };
    return [
      { ...call, ...isTheirs },
      { type: "tool-result", ...named, result: providerOutput, ...isTheirs },
    ];
  });
  const words = [
    { type: "reasoning", text: reasoning },
    { type: "text", text },
  ].filter((part) => part.text !== undefined);
  return [...words, ...called];
}

/** The same as a stream. */
export function streamOf(parts: readonly object[], finish: object): ReadableStream<object> {
  const chunks = [{ type: "stream-start", warnings: [] }, ...parts.flatMap(streamed), finish];
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

function streamed(part: object, at: number): object[] {
  if (!("text" in part && "type" in part)) return [part];
  const { type, text } = part;
  const id = `${type}-${at}`;
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id },
  ];
}
