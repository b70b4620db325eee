import { type ForeignRecord, listOf, recordOf, recordsOf, textOf } from "./foreign-value.ts";
import type { RunEvents } from "./run-events.ts";
import { contentText } from "./tool-output.ts";

/**
 * Takes a message or item of a conversation in the format of OpenAI's Chat Completions, OpenAI's Responses or
 * Anthropic's Messages. Detects the format for each message.
 *
 * Returns false if it is none of them.
 */
export function takeMessage(run: RunEvents, value: unknown, at?: number): boolean {
  const message = recordOf(value);
  if (message === undefined) return false;
  const { role } = message;
  if (role === "assistant" || role === "ai") takeAnswer(run, message, at);
  else if (role === "tool" || role === "function") {
    const error = message.status === "error" || message.is_error === true ? true : undefined;
    run.result(textOf(message.tool_call_id) ?? textOf(message.name), message.content, { at, error });
  } else if (role === "user" || role === "human") takeUser(run, message, at);
  else if (role === undefined) return takeItem(run, message, at);
  else return role === "system" || role === "developer";
  return true;
}

function takeAnswer(run: RunEvents, message: ForeignRecord, at: number | undefined): void {
  run.round(textOf(message.id));
  run.model(textOf(message.model));
  run.reasoning(textOf(message.reasoning_content) ?? textOf(message.reasoning), at);
  if (typeof message.content === "string") run.text(message.content, at);
  for (const block of recordsOf(message.content)) {
    if (block.type === "output_text") run.text(textOf(block.text), at);
    else takeBlock(run, block, at);
  }
  for (const call of recordsOf(message.tool_calls)) {
    const made = recordOf(call.function) ?? recordOf(call.custom) ?? call;
    const tool = textOf(made.name);
    if (tool !== undefined) run.call(textOf(call.id), tool, made.arguments ?? made.input ?? made.args, at);
  }
  const old = recordOf(message.function_call);
  const name = textOf(old?.name);
  // Functions had no call ids, so a result names its function.
  if (old !== undefined && name !== undefined) run.call(name, name, old.arguments, at);
}

function takeUser(run: RunEvents, message: ForeignRecord, at: number | undefined): void {
  const { content } = message;
  const words: unknown[] = [];
  for (const entry of listOf(content)) {
    const block = recordOf(entry);
    const error = typeof block?.is_error === "boolean" ? block.is_error : undefined;
    if (block?.type === "tool_result") run.result(textOf(block.tool_use_id), block.content, { error, at });
    else words.push(entry);
  }
  const text = typeof content === "string" ? content : contentText(words);
  if (text !== undefined) run.user(text, at);
}

/** Takes an item of the Responses API that is not a message. */
function takeItem(run: RunEvents, item: ForeignRecord, at: number | undefined): boolean {
  const { type } = item;
  const id = textOf(item.call_id) ?? textOf(item.id);
  if (type === "function_call" || type === "custom_tool_call") {
    const tool = textOf(item.name);
    if (tool !== undefined) run.call(id, tool, item.arguments ?? item.input, at);
    return tool !== undefined;
  }
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    run.result(id, item.output, { at });
    run.answered();
    return true;
  }
  if (type === "reasoning") run.reasoning(contentText(item.content) ?? contentText(item.summary), at);
  return typeof type === "string";
}

/**
 * Takes one content block of an answer in Anthropic's format, which may include results of tools that the provider ran.
 */
export function takeBlock(run: RunEvents, block: ForeignRecord, at: number | undefined): void {
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
