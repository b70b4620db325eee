import { type ForeignRecord, listOf, textOf } from "../../transcripts/foreign-value.ts";
import { callOf } from "../claude-code/claude-like.ts";
import type { Dialect, HookInput, HookMoment } from "../hook/dialect.ts";

/** The events of Cursor that matter to a guard. */
export const CURSOR_EVENTS = ["beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure"] as const;

/**
 * The hooks of Cursor, as its documentation describes them. A hook cannot end a run, is not told whether somebody watches, and cannot add
 * words to a failed call.
 */
export const cursorHook: Dialect = {
  abilities: { nudge: "result", block: true, stop: "none" },
  tellsRounds: false,
  isOf: (input) => textOf(input.conversation_id) !== undefined && textOf(input.cursor_version) !== undefined,
  read(input): HookInput | undefined {
    const event = textOf(input.hook_event_name);
    const session = textOf(input.conversation_id);
    const moment = event && momentOf(event, input);
    if (event === undefined || session === undefined || !moment) return undefined;
    const folder = textOf(input.cwd) ?? textOf(listOf(input.workspace_roots)[0]);
    return { event, session, agent: undefined, folder, moment, canAsk: false };
  },
  write(answer, { event }) {
    if (answer.type === "refusal")
      return { permission: "deny", user_message: answer.words, agent_message: answer.words };
    return answer.type === "words" && event === "postToolUse" ? { additional_context: answer.words } : undefined;
  },
};

function momentOf(event: string, input: ForeignRecord): HookMoment | undefined {
  const call = callOf(input);
  switch (event) {
    case "beforeSubmitPrompt":
      return { type: "user", text: textOf(input.prompt) };
    case "preToolUse":
      return { type: "call", call };
    case "postToolUse":
      return { type: "result", call, output: input.tool_output, error: undefined };
    case "postToolUseFailure":
      return { type: "result", call, output: input.error_message, error: true };
    default:
      return undefined;
  }
}
