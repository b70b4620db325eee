import { anthropicUsage } from "../anthropic-usage.ts";
import { type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../foreign-value.ts";
import type { RunEvents } from "../run-events.ts";

/** Not a model's words: Claude Code's own, where a request failed. */
const NO_MODEL = "<synthetic>";

/** Takes a part of a model answer: Claude Code writes each content block as a record, and repeats the message's id and usage. */
export function takeAnswer(run: RunEvents, record: ForeignRecord): void {
  const message = recordOf(record.message)!;
  const model = textOf(message.model);
  if (record.isApiErrorMessage === true || model === NO_MODEL) return;
  const at = timeOf(record.timestamp);
  const id = textOf(message.id) ?? textOf(record.requestId);
  run.round(id);
  run.model(model);
  for (const entry of listOf(message.content)) takeBlock(run, recordOf(entry), at);
  const usage = recordOf(message.usage);
  if (usage === undefined) return;
  const costUsd = typeof record.costUSD === "number" ? record.costUSD : undefined;
  run.usage({ ...anthropicUsage(usage), id, model, costUsd });
}

function takeBlock(run: RunEvents, block: ForeignRecord | undefined, at: number | undefined): void {
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
