import { countOf, type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../foreign-value.ts";
import { hasKey } from "../head-keys.ts";
import { loggedAnswer, loggedUser } from "../logged-messages.ts";
import type { TranscriptParser, TranscriptReader, TranscriptSink, TranscriptUsage } from "../reader.ts";
import { createSpanRuns, type SpanRuns } from "../span-runs.ts";

/** Runs exported from LangSmith: a list, or one per line. */
export const langsmith: TranscriptReader = {
  agent: "langsmith",
  label: "LangSmith runs",
  extensions: [".json", ".jsonl", ".ndjson"],
  layout: "any",
  // These files have no default location. Users name them on the command line.
  roots: () => [],
  isMine: (_path, head) =>
    hasKey(head, "run_type", '"') &&
    (hasKey(head, "trace_id", '"') || hasKey(head, "dotted_order", '"') || hasKey(head, "start_time")),
  open: (_source, sink) => parseLangsmith(sink),
};

/** Reads runs of LangSmith. A LangSmith run is a step here. Its thread, or else its trace, is a run. */
function parseLangsmith(sink: TranscriptSink): TranscriptParser {
  const runs = createSpanRuns(sink);
  return {
    record(value) {
      if (Array.isArray(value)) return value.map((entry) => takeTree(runs, entry)).every(Boolean);
      const list = recordOf(value)?.runs;
      if (Array.isArray(list)) return list.map((entry) => takeTree(runs, entry)).every(Boolean);
      return takeTree(runs, value);
    },
    end: () => runs.end(),
  };
}

const MAX_TREE = 50_000;

/** A run may contain its children. */
function takeTree(runs: SpanRuns, value: unknown): boolean {
  const waiting: unknown[] = [value];
  let isFine = true;
  for (let count = 0; waiting.length > 0 && count < MAX_TREE; count++) {
    const record = recordOf(waiting.pop());
    if (record === undefined || textOf(record.run_type) === undefined) isFine = false;
    else {
      takeRun(runs, record);
      for (const child of listOf(record.child_runs)) waiting.push(child);
    }
  }
  return isFine;
}

function takeRun(runs: SpanRuns, record: ForeignRecord): void {
  const type = record.run_type;
  // LangSmith's command line uses other names for some fields.
  const metadata = recordOf(recordOf(record.extra)?.metadata) ?? recordOf(record.custom_metadata) ?? {};
  const thread = textOf(metadata.thread_id) ?? textOf(metadata.session_id) ?? textOf(metadata.conversation_id);
  const id = textOf(record.id) ?? textOf(record.run_id) ?? textOf(record.dotted_order) ?? "run";
  const name = thread ?? textOf(record.trace_id) ?? id;
  const facts = { project: textOf(record.session_name) ?? textOf(metadata.ls_project) };
  const span = { id, start: timeOf(record.start_time), end: timeOf(record.end_time) };
  if (type === "tool") {
    const fault = textOf(record.error);
    const tool = {
      name: textOf(record.name) ?? "tool",
      args: inputOf(record.inputs),
      output: fault ?? outputOf(record.outputs),
      error: fault === undefined ? statusError(recordOf(record.outputs)) : true,
    };
    runs.add(name, { ...span, tool }, facts);
  } else if (type === "llm") {
    const model = textOf(metadata.ls_model_name) ?? textOf(recordOf(recordOf(record.extra)?.invocation_params)?.model);
    const answer = { text: loggedAnswer(record.outputs), model, usage: usageOf(record), ...loggedUser(record.inputs) };
    runs.add(name, { ...span, answer }, facts);
  }
}

function statusError(outputs: ForeignRecord | undefined): boolean | undefined {
  const message = recordOf(outputs?.output);
  const status = message?.status ?? recordOf(message?.kwargs)?.status;
  return status === "error" ? true : undefined;
}

/** LangChain wraps the input and output of tools. */
function inputOf(inputs: unknown): unknown {
  return recordOf(inputs)?.input ?? inputs;
}

function outputOf(outputs: unknown): unknown {
  const output = recordOf(outputs)?.output ?? outputs;
  const message = recordOf(output);
  return recordOf(message?.kwargs)?.content ?? message?.content ?? output;
}

function usageOf(record: ForeignRecord): TranscriptUsage | undefined {
  const usage = usageMetadata(record);
  const counts = recordOf(record.token_usage) ?? record;
  const input = countOf(usage?.input_tokens) || countOf(counts.prompt_tokens);
  const outputTokens = countOf(usage?.output_tokens) || countOf(counts.completion_tokens);
  if (input === 0 && outputTokens === 0) return undefined;
  const details = recordOf(usage?.input_token_details);
  const cacheReadTokens = countOf(details?.cache_read);
  const cacheWriteTokens = countOf(details?.cache_creation);
  const inputTokens = Math.max(0, input - cacheReadTokens - cacheWriteTokens);
  const told = record.total_cost ?? recordOf(record.costs)?.total_cost;
  const cost = typeof told === "string" ? Number(told) : typeof told === "number" ? told : Number.NaN;
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd: cost >= 0 ? cost : undefined };
}

/** Usage is beside the answer, or in the message that LangChain created. */
function usageMetadata({ outputs }: ForeignRecord): ForeignRecord | undefined {
  const answer = recordOf(outputs);
  const generation = recordOf(listOf(listOf(answer?.generations)[0])[0]);
  const message = recordOf(generation?.message);
  return recordOf(answer?.usage_metadata) ?? recordOf((recordOf(message?.kwargs) ?? message)?.usage_metadata);
}
