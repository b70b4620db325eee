import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { RunEvents } from "../../transcripts/run-events.ts";
import { contentText } from "../../transcripts/tool-output.ts";
import { commandOutput } from "./command-output.ts";
import { type CellCall, readCell } from "./read-cell.ts";

/** What Codex says to the model in the user's name. */
const OWN_WORDS = ["<environment_context>", "<user_instructions>", "<turn_aborted>", "# AGENTS.md instructions"];

/** Takes an item of the conversation, in the form of the Responses API. */
export function takeItem(run: RunEvents, item: ForeignRecord, at: number | undefined): void {
  const { type } = item;
  if (type === "message") takeMessage(run, item, at);
  else if (type === "reasoning") {
    run.reasoning(contentText(item.content) ?? contentText(item.summary), at);
  } else if (typeof type === "string" && type.endsWith("_call")) {
    const call = callOf(type, item);
    if (call !== undefined) run.call(textOf(item.call_id) ?? textOf(item.id), call.tool, call.args, at);
  } else if (typeof type === "string" && type.endsWith("_output")) {
    run.answered();
    const { output, error } = commandOutput(item.output ?? item.tools);
    run.result(textOf(item.call_id), output, { error, at });
  }
}

/** Calls of functions bear a name; those of tools that the provider runs (`web_search_call`, `tool_search_call`) are named by their type. */
function callOf(type: string, item: ForeignRecord): CellCall | undefined {
  if (type === "local_shell_call") return { tool: "shell", args: { command: recordOf(item.action)?.command } };
  if (type !== "function_call" && type !== "custom_tool_call") {
    return { tool: type.slice(0, -"_call".length), args: item.action ?? item.arguments ?? item.input };
  }
  const tool = textOf(item.name);
  if (tool === undefined) return undefined;
  if (type === "custom_tool_call" && tool === "exec") return readCell(item.input);
  return { tool, args: item.arguments ?? item.input };
}

function takeMessage(run: RunEvents, item: ForeignRecord, at: number | undefined): void {
  const text = contentText(item.content);
  if (item.role === "assistant") {
    run.text(text, at);
  } else if (item.role === "user" && text !== undefined && !OWN_WORDS.some((words) => text.startsWith(words))) {
    run.answered();
    run.user(text, at);
  }
}
