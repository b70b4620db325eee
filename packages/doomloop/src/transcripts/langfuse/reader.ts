import { countOf, type ForeignRecord, recordOf, recordsOf, textOf, timeOf } from "../foreign-value.ts";
import { hasKey } from "../head-keys.ts";
import type { TranscriptUsage } from "../reader.ts";
import { type AddSpan, parsedText, spanReader } from "../span-runs.ts";

/** Observations exported from Langfuse: a trace with its observations, a list of observations, or one per line. A session is a run, or a trace if it has no session. */
export const langfuse = spanReader({
  agent: "langfuse",
  label: "Langfuse observations",
  list: "data",
  isMine: (head) =>
    !hasKey(head, "resourceSpans") &&
    (((hasKey(head, "traceId", '"') || (hasKey(head, "trace_id", '"') && !hasKey(head, "run_type"))) &&
      hasKey(head, "type", '"GENERATION"', '"SPAN"', '"TOOL"', '"EVENT"', '"AGENT"', '"CHAIN"')) ||
      hasKey(head, "observations", "[")),
  take(record, add) {
    if (!Array.isArray(record.observations)) return takeObservation(record, {}, add);
    const trace = recordOf(record.trace) ?? record;
    for (const observation of recordsOf(record.observations)) takeObservation(observation, trace, add);
    return true;
  },
});

/** The API writes `startTime`, an export to blob storage writes `start_time`. */
function inOneSpelling(record: ForeignRecord): ForeignRecord {
  if (!("trace_id" in record) && !("start_time" in record)) return record;
  const respelt = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [respelt(key), value]));
}

function takeObservation(written: ForeignRecord, trace: ForeignRecord, add: AddSpan): boolean {
  const record = inOneSpelling(written);
  const type = textOf(record.type);
  const id = textOf(record.id);
  if (type === undefined || id === undefined) return false;
  const name = textOf(record.sessionId) ?? textOf(trace.sessionId) ?? textOf(record.traceId) ?? textOf(trace.id) ?? id;
  const times = { id, start: timeOf(record.startTime), end: timeOf(record.endTime) };
  const facts = { agentVersion: textOf(record.version) ?? textOf(trace.version) };
  const input = parsedText(record.input);
  const output = parsedText(record.output);
  if (type === "GENERATION") {
    const model = textOf(record.model) ?? textOf(record.providedModelName);
    add(name, { ...times, answer: { input, output, model, usage: usageOf(record) } }, facts);
  } else if (type === "TOOL" || type === "RETRIEVER") {
    const isFailed = record.level === "ERROR";
    const told = (isFailed ? textOf(record.statusMessage) : undefined) ?? output;
    add(name, { ...times, tool: { name: textOf(record.name) ?? "tool", args: input, output: told, isFailed } }, facts);
  }
  return true;
}

function usageOf(record: ForeignRecord): TranscriptUsage | undefined {
  const usage = recordOf(record.usageDetails) ?? recordOf(record.usage);
  const input = usage?.input ?? usage?.promptTokens ?? record.promptTokens;
  const output = usage?.output ?? usage?.completionTokens ?? record.completionTokens;
  if (typeof input !== "number" && typeof output !== "number") return undefined;
  const cost = recordOf(record.costDetails)?.total ?? record.calculatedTotalCost ?? record.totalCost;
  return {
    inputTokens: countOf(input),
    outputTokens: countOf(output),
    cacheReadTokens: countOf(usage?.cache_read_input_tokens ?? usage?.input_cached_tokens),
    cacheWriteTokens: countOf(usage?.cache_creation_input_tokens),
    costUsd: typeof cost === "number" && cost > 0 ? cost : undefined,
  };
}
