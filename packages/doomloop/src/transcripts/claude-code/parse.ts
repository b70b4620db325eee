import { baseName } from "../base-name.ts";
import { type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../foreign-value.ts";
import { createOpenRuns } from "../open-runs.ts";
import type { TranscriptParser, TranscriptSink, TranscriptSource } from "../reader.ts";
import type { RunEvents } from "../run-events.ts";
import { createSidechains } from "./sidechains.ts";
import { takeAnswer } from "./take-answer.ts";
import { isUserSpeaking } from "./user-words.ts";

const REFUSALS: readonly unknown[] = ["deny", "denied", "reject", "rejected"];

/** Reads a session of Claude Code. */
export function parseClaudeCode(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  const runs = createOpenRuns(sink);
  const sidechains = createSidechains();
  const fallback = baseName(source.path);

  const runOf = (record: ForeignRecord): RunEvents => {
    const session = textOf(record.sessionId) ?? textOf(record.session_id) ?? fallback;
    const chain = sidechains.nameOf(record);
    const name = chain === undefined ? session : `${session}/${chain}`;
    const isNew = !runs.has(name);
    const run = runs.get(name);
    if (isNew) {
      run.facts({
        project: textOf(record.cwd),
        startedAt: timeOf(record.timestamp),
        agentVersion: textOf(record.version) ?? textOf(record.claude_code_version),
        ...(chain === undefined ? {} : { parent: session }),
      });
    }
    return run;
  };

  return {
    record(value) {
      const record = recordOf(value);
      if (record === undefined || typeof record.type !== "string") return false;
      const { type, message } = record;
      if (type === "assistant") {
        if (recordOf(message) === undefined) return false;
        takeAnswer(runOf(record), record);
      } else if (type === "user") {
        if (recordOf(message) === undefined) return false;
        takeUser(runOf(record), record);
      } else if (type === "system") {
        const { subtype } = record;
        if (subtype === "init") runOf(record);
        if (subtype === "compact_boundary") runOf(record).compaction(timeOf(record.timestamp));
      }
      return true;
    },
    end: () => runs.endAll(),
  };
}

/** A user's record holds results, or words: of the user, or of Claude Code in the user's name. */
function takeUser(run: RunEvents, record: ForeignRecord): void {
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
