import { type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import type { RunEvents } from "../../transcripts/run-events.ts";
import { isUserSpeaking } from "./user-words.ts";

const REFUSALS: readonly unknown[] = ["deny", "denied", "reject", "rejected"];

/** A user's record holds results, or words: of the user, or of Claude Code in the user's name. */
export function takeUser(run: RunEvents, record: ForeignRecord): void {
  const at = timeOf(record.timestamp);
  const content = recordOf(record.message)?.content;
  if (typeof content === "string") {
    if (isUserSpeaking(record, content)) run.user(content, at);
    return;
  }
  const decision = recordOf(record.permissionDecision)?.decision;
  const isRefused = REFUSALS.includes(decision);
  let words: string | undefined;
  for (const entry of listOf(content)) {
    const block = recordOf(entry);
    if (block?.type === "tool_result") {
      const error = typeof block.is_error === "boolean" ? block.is_error : undefined;
      const synthetic = isRefused ? true : undefined;
      run.result(textOf(block.tool_use_id), block.content, { error, at, synthetic });
    } else if (block?.type === "text") words ??= textOf(block.text);
  }
  if (words !== undefined && isUserSpeaking(record, words)) run.user(words, at);
}
