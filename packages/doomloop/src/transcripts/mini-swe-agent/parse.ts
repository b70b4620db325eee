import { baseName } from "../base-name.ts";
import { type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../foreign-value.ts";
import { openaiUsage } from "../openai-usage.ts";
import type { TranscriptParser, TranscriptSink, TranscriptSource } from "../reader.ts";
import { createRunEvents, type RunEvents } from "../run-events.ts";
import { takeMessage } from "../take-message.ts";
import { contentText } from "../tool-output.ts";
import { commandIn } from "./command-in.ts";
import { outcomeIn } from "./outcome-in.ts";

/** Reads a trajectory of mini-swe-agent: one document with the conversation, in which commands are text or calls. */
export function parseMiniSweAgent(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  return {
    record(value) {
      const record = recordOf(value);
      if (!Array.isArray(record?.messages)) return false;
      const info = recordOf(record.info) ?? {};
      const config = recordOf(recordOf(info.config)?.model);
      const run = createRunEvents(textOf(record.instance_id) ?? baseName(source.path), sink);
      run.facts({
        outcome: textOf(info.exit_status),
        agentVersion: textOf(info.mini_version),
        model: textOf(config?.model_name),
      });
      takeConversation(run, record.messages);
      run.end();
      return true;
    },
    end() {},
  };
}

function takeConversation(run: RunEvents, messages: readonly unknown[]): void {
  /** The command in words that is not answered yet. */
  let asked: string | undefined;
  messages.forEach((entry, at) => {
    const message = recordOf(entry);
    if (message === undefined) return;
    const extra = recordOf(message.extra);
    const time = timeOf(extra?.timestamp) ?? timeOf(message.timestamp);
    const isAnswer = message.role === "assistant";
    const answered = message.role === "tool" ? textOf(message.tool_call_id) : asked;
    if (message.role === "tool" || (message.role === "user" && asked !== undefined)) {
      const { output, error } = outcomeIn(contentText(message.content), extra);
      run.result(answered, output, { error, at: time });
      asked = undefined;
      return;
    }
    takeMessage(run, message, time);
    if (isAnswer && listOf(message.tool_calls).length === 0) {
      const command = commandIn(contentText(message.content));
      asked = command === undefined ? undefined : `${at}`;
      if (command !== undefined) run.call(asked, "bash", { command }, time);
    }
    if (isAnswer) takeUsage(run, recordOf(extra?.response), extra);
  });
}

function takeUsage(run: RunEvents, response: ForeignRecord | undefined, extra: ForeignRecord | undefined): void {
  const usage = recordOf(response?.usage);
  const cost = extra?.cost;
  if (usage === undefined) return;
  run.usage({
    ...openaiUsage(usage),
    id: textOf(response?.id),
    model: textOf(response?.model),
    costUsd: typeof cost === "number" && cost >= 0 ? cost : undefined,
  });
}
