import { baseName } from "./file-names.ts";
import { type ForeignRecord, listOf, recordOf, textOf, timeOf } from "./foreign-value.ts";
import { hasKey } from "./head-keys.ts";
import type { TranscriptParser, TranscriptSink, TranscriptSource } from "./reader.ts";
import { createRunEvents, type RunEvents } from "./run-events.ts";
import { takeMessage } from "./take-message.ts";
import { anthropicUsage, openaiUsage } from "./usage.ts";

const LISTS = ["messages", "input", "conversation", "items"] as const;
const NAMES = ["run", "id", "conversation_id", "thread_id", "session_id", "custom_id", "instance_id"] as const;

/**
 * Reads conversations in the format of a model provider: a list of messages, an object with such a list (a request or a
 * dataset record), one of these per line, or one message per line.
 */
export function parseConversations(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  const fallback = baseName(source.path);
  let lines: RunEvents | undefined;
  let conversations = 0;

  const begin = (name: string | undefined, record: ForeignRecord): RunEvents => {
    conversations++;
    const run = createRunEvents(name ?? (conversations === 1 ? fallback : `${fallback}#${conversations}`), sink);
    run.facts({ startedAt: timeOf(record.created_at) ?? timeOf(record.timestamp), model: textOf(record.model) });
    return run;
  };

  const takeAll = (name: string | undefined, record: ForeignRecord, messages: readonly unknown[]): void => {
    const run = begin(name, record);
    for (const message of messages) takeMessage(run, message, timeOf(recordOf(message)?.timestamp));
    takeAnswer(run, record);
    run.end();
  };

  return {
    record(value) {
      if (Array.isArray(value)) {
        const isList = value.some((entry) => listIn(recordOf(entry)) !== undefined);
        if (!isList) takeAll(undefined, {}, value);
        else for (const entry of value) takeRecord(recordOf(entry), takeAll);
        return true;
      }
      const record = recordOf(value);
      if (record === undefined) return false;
      if (takeRecord(record, takeAll)) return true;
      lines ??= begin(undefined, {});
      return takeMessage(lines, record, timeOf(record.timestamp));
    },
    end: () => lines?.end(),
  };
}

type TakeAll = (name: string | undefined, record: ForeignRecord, messages: readonly unknown[]) => void;

/** Takes an object that contains a conversation, directly or in a recorded request. */
function takeRecord(record: ForeignRecord | undefined, takeAll: TakeAll): boolean {
  if (record === undefined) return false;
  const request = recordOf(record.request) ?? recordOf(record.body) ?? record;
  const messages = listIn(request);
  if (messages === undefined) return false;
  const name = NAMES.map((key) => textOf(record[key])).find((text) => text !== undefined);
  takeAll(name, { ...record, model: request.model ?? record.model }, messages);
  return true;
}

function listIn(record: ForeignRecord | undefined): readonly unknown[] | undefined {
  for (const key of LISTS) if (Array.isArray(record?.[key])) return record[key];
  return undefined;
}

/** A recorded exchange contains the answer beside the request. */
function takeAnswer(run: RunEvents, record: ForeignRecord): void {
  const response = recordOf(record.response);
  const answer = recordOf(response?.body) ?? response ?? record;
  const choice = recordOf(recordOf(listOf(answer.choices)[0])?.message);
  if (choice !== undefined) takeMessage(run, choice);
  else if (answer !== record && answer.role === "assistant") takeMessage(run, answer);
  for (const item of listOf(answer.output)) takeMessage(run, item);
  const usage = recordOf(answer.usage);
  if (usage === undefined) return;
  const told = "input_tokens_details" in usage || "prompt_tokens" in usage ? openaiUsage(usage) : anthropicUsage(usage);
  run.usage({ ...told, id: textOf(answer.id), model: textOf(answer.model) });
}

/** Keys of formats that contain messages of a provider but have their own reader. */
const KEYS_OF_OTHER_FORMATS = [
  "run_type",
  "traceId",
  "resourceSpans",
  "parentUuid",
  "projectHash",
  "sessionID",
  "payload",
  "parentId",
  "parent_tool_use_id",
  "subtype",
  "record_type",
  "isSidechain",
  "trajectory_format",
  "mini_version",
  "model_stats",
  "trajectory",
  "history",
  "events",
  "dotted_order",
  "llm_message",
  "observation",
];

const ROLES = ['"user"', '"system"', '"assistant"', '"developer"', '"human"'];

/** Whether a file begins like a conversation of any model provider. */
export function isConversation(path: string, head: string): boolean {
  const start = head.trimStart().charAt(0);
  if ((start !== "{" && start !== "[") || path.toLowerCase().includes(".traj")) return false;
  if (KEYS_OF_OTHER_FORMATS.some((key) => hasKey(head, key))) return false;
  return (
    hasKey(head, "role", ...ROLES) && hasKey(head, "content", '"', "[", "null") && !hasKey(head, "type", '"session"')
  );
}

/** Whether a conversation is Anthropic's: calls and results are content blocks, and the system prompt is separate. */
export function isAnthropicConversation(head: string): boolean {
  return (
    hasKey(head, "type", '"tool_use"', '"tool_result"') ||
    hasKey(head, "tool_use_id", '"') ||
    hasKey(head, "input_schema", "{") ||
    (hasKey(head, "max_tokens") && hasKey(head, "system", '"', "["))
  );
}
