import { type ForeignRecord, recordOf, textOf } from "../foreign-value.ts";
import type { RunEvents } from "../run-events.ts";
import { contentText } from "../tool-output.ts";
import { commandOutput } from "./command-output.ts";

/** What Codex says to the model in the user's name. */
const OWN_WORDS = ["<environment_context>", "<user_instructions>", "<turn_aborted>", "# AGENTS.md instructions"];

/** Takes an item of the conversation, in the form of the Responses API. */
export function takeItem(run: RunEvents, item: ForeignRecord, at: number | undefined): void {
  const { type } = item;
  if (type === "message") takeMessage(run, item, at);
  else if (type === "reasoning") {
    run.reasoning(contentText(item.content) ?? contentText(item.summary), at);
  } else if (type === "function_call" || type === "custom_tool_call") {
    const tool = textOf(item.name);
    if (tool === undefined) return;
    run.call(textOf(item.call_id), tool, item.arguments ?? item.input, at);
  } else if (type === "local_shell_call") {
    const command = recordOf(item.action)?.command;
    run.call(textOf(item.call_id) ?? textOf(item.id), "shell", { command }, at);
  } else if (type === "web_search_call") {
    run.call(textOf(item.id), "web_search", item.action, at);
  } else if (type === "function_call_output" || type === "custom_tool_call_output") {
    run.answered();
    const { output, error } = commandOutput(item.output);
    run.result(textOf(item.call_id), output, { error, at });
  }
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
