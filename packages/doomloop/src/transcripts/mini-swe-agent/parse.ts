import { baseName } from "../base-name.ts";
import { countOf, type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../foreign-value.ts";
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
        total: { costUsd: countOf(recordOf(info.model_stats)?.instance_cost) },
      });
      takeConversation(run, record.messages);
      run.end();
      return true;
    },
    end() {},
  };
}

function takeConversation(run: RunEvents, messages: readonly unknown[]): void {
  /** Commands in words that are not answered yet, the oldest first: an outcome in words names none. */
  let asked: string[] = [];
  messages.forEach((entry, at) => {
    const message = recordOf(entry);
    if (message === undefined) return;
    const extra = recordOf(message.extra);
    const time = timeOf(extra?.timestamp) ?? timeOf(message.timestamp);
    const isOutcome =
      message.role === "tool" ||
      message.type === "function_call_output" ||
      (message.role === "user" && asked.length > 0 && extra?.interrupt_type === undefined);
    if (isOutcome) {
      const id = textOf(message.tool_call_id) ?? textOf(message.call_id) ?? asked.shift();
      const { output, error } = outcomeIn(contentText(message.content ?? message.output), extra);
      run.result(id, output, { error, at: time });
      run.answered();
      return;
    }
    // What mini-swe-agent says in the user's name where an answer holds no command is no word of a user.
    if (message.role === "user" && extra?.interrupt_type !== undefined) return;
    const isAnswer = message.role === "assistant" || message.object === "response";
    if (!isAnswer) {
      takeMessage(run, message, time);
      return;
    }
    asked = takeAnswer(run, message, at, time);
    takeUsage(run, message.object === "response" ? message : recordOf(extra?.response), extra);
  });
}

/** Takes an answer: a message, or a whole response of OpenAI's. Returns the ids of commands that its words hold. */
function takeAnswer(run: RunEvents, message: ForeignRecord, at: number, time: number | undefined): string[] {
  if (message.object === "response") {
    run.round(textOf(message.id));
    for (const item of listOf(message.output)) {
      const part = recordOf(item);
      if (part?.type === "message") run.text(contentText(part.content), time);
      else takeMessage(run, part, time);
    }
    return [];
  }
  takeMessage(run, message, time);
  if (listOf(message.tool_calls).length > 0) return [];
  return commandsIn(message).map((command, place) => {
    const id = `${at}.${place}`;
    run.call(id, "bash", { command }, time);
    return id;
  });
}

/** Newer versions record what they ran; in older ones it stands in the words alone. */
function commandsIn(message: ForeignRecord): readonly string[] {
  const recorded = listOf(recordOf(message.extra)?.actions).map((action) => textOf(recordOf(action)?.command));
  const known = recorded.filter((command) => command !== undefined);
  const inWords = commandIn(contentText(message.content));
  return known.length > 0 || inWords === undefined ? known : [inWords];
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
