import { countOf, type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../foreign-value.ts";
import { hasKey } from "../head-keys.ts";
import type { TranscriptUsage } from "../reader.ts";
import { type AddSpan, spanReader } from "../span-runs.ts";

const MAX_TREE = 50_000;

/** Runs exported from LangSmith: a list, or one per line. A LangSmith run is a step here. Its thread, or else its trace, is a run. */
export const langsmith = spanReader({
  agent: "langsmith",
  label: "LangSmith runs",
  list: "runs",
  isMine: (head) =>
    hasKey(head, "run_type", '"') &&
    (hasKey(head, "trace_id", '"') || hasKey(head, "dotted_order", '"') || hasKey(head, "start_time")),
  take(tree, add) {
    // A run may contain its children.
    const waiting: unknown[] = [tree];
    let isFine = true;
    for (let count = 0; waiting.length > 0 && count < MAX_TREE; count++) {
      const record = recordOf(waiting.pop());
      if (record === undefined || textOf(record.run_type) === undefined) isFine = false;
      else {
        takeRun(record, add);
        for (const child of listOf(record.child_runs)) waiting.push(child);
      }
    }
    return isFine;
  },
});

function takeRun(record: ForeignRecord, add: AddSpan): void {
  const type = record.run_type;
  // LangSmith's command line uses other names for some fields.
  const extra = recordOf(record.extra);
  const metadata = recordOf(extra?.metadata) ?? recordOf(record.custom_metadata) ?? {};
  const thread = textOf(metadata.thread_id) ?? textOf(metadata.session_id) ?? textOf(metadata.conversation_id);
  const id = textOf(record.id) ?? textOf(record.run_id) ?? textOf(record.dotted_order) ?? "run";
  const name = thread ?? textOf(record.trace_id) ?? id;
  const facts = { project: textOf(record.session_name) ?? textOf(metadata.ls_project) };
  const times = { id, start: timeOf(record.start_time), end: timeOf(record.end_time) };
  const { inputs, outputs } = record;
  if (type === "tool") {
    const fault = textOf(record.error);
    // LangChain wraps the input and output of tools.
    const wrapped = recordOf(outputs)?.output;
    const message = recordOf(wrapped ?? outputs);
    const inner = recordOf(message?.kwargs);
    const isFailed = fault !== undefined || (wrapped !== undefined && (message?.status ?? inner?.status) === "error");
    const tool = {
      name: textOf(record.name) ?? "tool",
      args: recordOf(inputs)?.input ?? inputs,
      output: fault ?? inner?.content ?? message?.content ?? wrapped ?? outputs,
      isFailed,
    };
    add(name, { ...times, tool }, facts);
  } else if (type === "llm") {
    const model = textOf(metadata.ls_model_name) ?? textOf(recordOf(extra?.invocation_params)?.model);
    add(name, { ...times, answer: { input: inputs, output: outputs, model, usage: usageOf(record) } }, facts);
  }
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
