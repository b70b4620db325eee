import { type ForeignRecord, textOf } from "./foreign-value.ts";
import type { RunEvents } from "./run-events.ts";

/** Tells of one block of an answer in the form of Anthropic's messages, in which tools that the provider ran have their results too. */
export function takeBlock(run: RunEvents, block: ForeignRecord | undefined, at: number | undefined): void {
  if (block === undefined) return;
  const { type } = block;
  if (type === "text") run.text(textOf(block.text), at);
  else if (type === "thinking") run.reasoning(textOf(block.thinking), at);
  else if (type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use") {
    const tool = textOf(block.name);
    if (tool !== undefined) run.call(textOf(block.id), tool, block.input, at);
  } else if (typeof type === "string" && type.endsWith("_tool_result")) {
    run.result(textOf(block.tool_use_id), block.content, { at });
  }
}
