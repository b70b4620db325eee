import { baseName, joinPath } from "../../transcripts/file-names.ts";
import { countOf, type ForeignRecord, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type {
  TranscriptParser,
  TranscriptReader,
  TranscriptSink,
  TranscriptSource,
  TranscriptUsage,
} from "../../transcripts/reader.ts";
import { createRunEvents, type RunEvents } from "../../transcripts/run-events.ts";
import { contentText } from "../../transcripts/tool-output.ts";
import { commandOutput } from "./command-output.ts";
import { type CellCall, readCell } from "./read-cell.ts";

/** The rollouts of OpenAI's Codex CLI. */
export const codexReader: TranscriptReader = {
  agent: "codex",
  label: "Codex CLI",
  extensions: [".jsonl"],
  /** Rollouts are in folders by date, archived ones in a single folder. */
  roots(environment) {
    const folder = environment.env.CODEX_HOME || joinPath(environment, environment.home, ".codex");
    return ["sessions", "archived_sessions"].map((name) => joinPath(environment, folder, name));
  },
  isMine: (_path, head) =>
    hasKey(head, "payload", "{") && hasKey(head, "type", '"session_meta"', '"response_item"', '"event_msg"'),
  // Records were the items themselves until the middle of 2025, and some told Codex only about its own state.
  wasMine: (head) => hasKey(head, "record_type", '"state"'),
  open: parseCodex,
};

/** Beginnings of what Codex says to the model in the user's name. */
const OWN_WORDS = ["<environment_context>", "<user_instructions>", "<turn_aborted>", "# AGENTS.md instructions"];

const NO_META: ForeignRecord = {};

/** Reads a rollout of Codex CLI: one file, one run. */
function parseCodex(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  let run: RunEvents | undefined;
  const usages = createUsages();

  /** A fork begins with its own first record, then has copies of all its parent's records. Only the first record counts. */
  const begin = (meta: ForeignRecord): RunEvents => {
    if (run !== undefined) return run;
    run = createRunEvents(textOf(meta.id) ?? baseName(source.path), sink);
    run.facts({
      project: textOf(meta.cwd),
      startedAt: timeOf(meta.timestamp),
      agentVersion: textOf(meta.cli_version),
      parent: parentOf(meta),
    });
    return run;
  };

  return {
    record(value) {
      const record = recordOf(value);
      if (record === undefined) return false;
      const { type } = record;
      const payload = recordOf(record.payload);
      if (payload === undefined) return textOf(type) !== undefined;
      if (type === "session_meta") begin(payload);
      else if (type === "turn_context") begin(payload).model(textOf(payload.model));
      else if (type === "compacted") begin(payload).compaction(timeOf(record.timestamp));
      else if (type === "response_item") {
        usages.note(payload);
        takeItem(begin(NO_META), payload, timeOf(record.timestamp));
      } else if (type === "token_usage_record" || type === "event_msg") {
        const usage = usages.read(type, payload);
        if (usage !== undefined) begin(NO_META).report(usage);
      }
      return true;
    },
    end: () => run?.end(),
  };
}

/** A fork (`forked_from_id`) is a separate session, not a subagent. */
function parentOf(meta: ForeignRecord): string | undefined {
  const spawn = recordOf(recordOf(recordOf(meta.source)?.subagent)?.thread_spawn);
  return textOf(spawn?.parent_thread_id) ?? textOf(meta.parent_thread_id);
}

/** Reads an item of the conversation, in the form of the Responses API. */
function takeItem(run: RunEvents, item: ForeignRecord, at: number | undefined): void {
  const { type } = item;
  if (type === "message") takeMessage(run, item, at);
  else if (type === "reasoning") {
    run.reasoning(contentText(item.content) ?? contentText(item.summary), at);
  } else if (isCall(type)) {
    const call = callOf(type, item);
    if (call !== undefined) run.call(textOf(item.call_id) ?? textOf(item.id), call.tool, call.args, at);
  } else if (typeof type === "string" && type.endsWith("_output")) {
    run.answered();
    const { output, error } = commandOutput(item.output ?? item.tools);
    run.result(textOf(item.call_id), output, { error, at });
  }
}

function isCall(type: unknown): type is string {
  return typeof type === "string" && type.endsWith("_call");
}

/** Calls of functions have a name. Calls of tools that the provider runs (`web_search_call`, `tool_search_call`) are named by their type. */
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

/** Reads the usage of answers. */
interface Usages {
  note(item: ForeignRecord): void;
  read(type: string, payload: ForeignRecord): TranscriptUsage | undefined;
}

/**
 * Newer rollouts have the usage of each answer (`token_usage_record`) and the sum (`token_count`). Older ones have only the sum, which is
 * also written when nothing but a rate limit has changed.
 */
function createUsages(): Usages {
  let hasRecords = false;
  let lastTotal = -1;
  let call: string | undefined;
  return {
    note(item) {
      if (isCall(item.type)) call = textOf(item.call_id) ?? call;
    },
    read(type, payload) {
      if (type === "token_usage_record") {
        hasRecords = true;
        const usage = recordOf(payload.usage);
        return usage === undefined ? undefined : { ...usageOf(usage), id: textOf(payload.response_id) };
      }
      if (payload.type !== "token_count" || hasRecords) return undefined;
      const info = recordOf(payload.info);
      const last = recordOf(info?.last_token_usage);
      const total = countOf(recordOf(info?.total_token_usage)?.total_tokens);
      if (last === undefined || total === lastTotal) return undefined;
      lastTotal = total;
      // The sum names no answer. In a fork, it has the same calls and sums as before.
      return { ...usageOf(last), id: call && `${call}\n${total}` };
    },
  };
}

/** Cached tokens are part of the input here. */
function usageOf(usage: ForeignRecord): TranscriptUsage {
  const cacheReadTokens = countOf(usage.cached_input_tokens);
  const cacheWriteTokens = countOf(usage.cache_write_input_tokens);
  const inputTokens = Math.max(0, countOf(usage.input_tokens) - cacheReadTokens - cacheWriteTokens);
  return { inputTokens, outputTokens: countOf(usage.output_tokens), cacheReadTokens, cacheWriteTokens };
}
