import { baseName } from "./file-names.ts";
import { type ForeignRecord, listOf, recordOf, textOf, timeOf } from "./foreign-value.ts";
import { hasKey } from "./head-keys.ts";
import { namedReader } from "./named-reader.ts";
import type { TranscriptParser, TranscriptReader, TranscriptSink, TranscriptSource } from "./reader.ts";
import { createRunEvents, type RunEvents } from "./run-events.ts";
import { takeMessage } from "./take-message.ts";
import { anthropicUsage, openaiUsage } from "./usage.ts";

/** Creates a reader for conversations in the format of a model provider. */
export function conversationReader(agent: string, label: string, isIts: (head: string) => boolean): TranscriptReader {
  const isMine = (path: string, head: string): boolean => isConversation(path, head) && isIts(head);
  return namedReader({ agent, label, isMine, open: parseConversations });
}

const LISTS = ["messages", "input", "conversation", "items"] as const;
const NAMES = ["run", "id", "conversation_id", "thread_id", "session_id", "custom_id", "instance_id"] as const;

/**
 * Reads conversations in the format of a model provider: a list of messages, an object with such a list (a request or a
 * dataset record), one of these per line, or one message per line.
 */
function parseConversations(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  const fallback = baseName(source.path);
  let lines: RunEvents | undefined;
  let conversations = 0;

  const begin = (name: string | undefined, record: ForeignRecord): RunEvents => {
    conversations++;
    const run = createRunEvents(name ?? (conversations === 1 ? fallback : `${fallback}#${conversations}`), sink);
    run.facts({ startedAt: timeOf(record.created_at) ?? timeOf(record.timestamp), model: textOf(record.model) });
    return run;
  };

  /** Takes a list of messages, or an object that contains one, directly or in a recorded request. */
  const take = (value: unknown): boolean => {
    const record = recordOf(value) ?? {};
    const request = recordOf(record.request) ?? recordOf(record.body) ?? record;
    const messages = Array.isArray(value) ? value : listIn(request);
    if (messages === undefined) return false;
    const name = NAMES.map((key) => textOf(record[key])).find((text) => text !== undefined);
    const run = begin(name, { ...record, model: request.model ?? record.model });
    for (const message of messages) takeMessage(run, message, timeOf(recordOf(message)?.timestamp));
    takeAnswer(run, record);
    run.end();
    return true;
  };

  return {
    record(value) {
      if (Array.isArray(value) && value.some((entry) => listIn(recordOf(entry)) !== undefined)) {
        for (const entry of value) take(recordOf(entry));
        return true;
      }
      const record = recordOf(value);
      if (take(value)) return true;
      if (record === undefined) return false;
      lines ??= begin(undefined, {});
      return takeMessage(lines, record, timeOf(record.timestamp));
    },
    end: () => lines?.end(),
  };
}

function listIn(record: ForeignRecord | undefined): readonly unknown[] | undefined {
  return LISTS.map((key) => record?.[key]).find((list) => Array.isArray(list)) as readonly unknown[] | undefined;
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
const KEYS_OF_OTHER_FORMATS = (
  "run_type traceId resourceSpans parentUuid projectHash sessionID payload parentId parent_tool_use_id subtype " +
  "record_type isSidechain trajectory_format mini_version model_stats trajectory history events dotted_order " +
  "llm_message observation"
).split(" ");

const ROLES = ['"user"', '"system"', '"assistant"', '"developer"', '"human"'];

/** Whether a file begins like a conversation of any model provider. */
function isConversation(path: string, head: string): boolean {
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
