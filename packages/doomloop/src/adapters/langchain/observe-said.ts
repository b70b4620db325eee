import type { HostRun } from "../../host/host-run.ts";
import { type BlockLike, contentBlocks } from "./content-blocks.ts";
import type { MessageLike } from "./messages.ts";

/** Observes what an answer says and thinks. Words beside a call are no answer by themselves. */
export function observeSaid(run: HostRun, message: MessageLike): void {
  const blocks = contentBlocks(message);
  // Servers that speak the format of OpenAI and think have a field of their own for it.
  const { reasoning_content: besides } = (message.additional_kwargs ?? {}) as { readonly reasoning_content?: unknown };
  const reasoning = joined(blocks.map(reasoningOf)) || joined([besides]);
  if (reasoning !== "") run.reasoning(reasoning);
  const text = joined(blocks.map((block) => (block.type === "text" ? block.text : undefined)));
  const partial = (message.tool_calls ?? []).length > 0 || blocks.some(({ type }) => type === "server_tool_call");
  if (text !== "") run.text(text, { partial });
}

function reasoningOf({ type, reasoning, thinking }: BlockLike): unknown {
  return type === "reasoning" || type === "thinking" ? (reasoning ?? thinking) : undefined;
}

function joined(texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === "string").join("\n");
}
