import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { shellReport } from "../../transcripts/shell-report.ts";
import { readClaudeLike, TURN_ENDS, writeWithoutEnd } from "../claude-code/claude-like.ts";
import type { Dialect } from "../hook/dialect.ts";

/**
 * The hooks of Qwen Code: Claude Code's events, with a second id for each call. A hook cannot end a run, and is not told whether somebody
 * watches (0.24).
 */
export const qwenCodeHook: Dialect = {
  abilities: { nudge: "result", block: true, stop: "none" },
  tellsRounds: true,
  // At the end of a turn, whatever a hook says makes it take another one.
  prompt: { words: true, end: true },
  isOf: (input) => textOf(input.tool_call_id) !== undefined,
  read(input) {
    // After a result, it sends this event with an empty prompt.
    if (input.hook_event_name === "UserPromptSubmit" && !input.prompt) return null;
    // Only the second id is repeated when all calls of the answer are over.
    const told = { ...input, tool_use_id: input.tool_call_id ?? input.tool_use_id };
    const read = readClaudeLike(told, {
      outputOf: (result) => shellReport(responseOf(result)).output,
      errorOf: (result) => shellReport(responseOf(result)).error,
    });
    // A session that is resumed uses the ids of its prompts again.
    if (read?.moment.type !== "user" || typeof input.submitted_prompt !== "string") return read;
    return { ...read, moment: { ...read.moment, isOfHost: false } };
  },
  write(answer, { event }) {
    if (answer.type === "end" && event === "UserPromptSubmit") return { decision: "block", reason: answer.explanation };
    return TURN_ENDS.has(event) ? undefined : writeWithoutEnd(answer, event);
  },
};

/** The part of a response that the model reads. */
function responseOf({ tool_response: response }: ForeignRecord): unknown {
  const record = recordOf(response);
  return record?.llmContent ?? record?.output ?? response;
}
