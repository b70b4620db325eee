import { countOf, type ForeignRecord, recordOf, textOf, timeOf } from "../foreign-value.ts";
import { hasKey } from "../head-keys.ts";
import { loggedAnswer, loggedUser } from "../logged-messages.ts";
import type { TranscriptParser, TranscriptReader, TranscriptSink, TranscriptUsage } from "../reader.ts";
import { createSpanRuns, type SpanRuns } from "../span-runs.ts";

/** Observations exported from Langfuse: a trace with its observations, a list of observations, or one per line. */
export const langfuse: TranscriptReader = {
  agent: "langfuse",
  label: "Langfuse observations",
  extensions: [".json", ".jsonl", ".ndjson"],
  layout: "any",
  // These files have no default location. Users name them on the command line.
  roots: () => [],
  isMine: (_path, head) =>
    !hasKey(head, "resourceSpans") &&
    (((hasKey(head, "traceId", '"') || (hasKey(head, "trace_id", '"') && !hasKey(head, "run_type"))) &&
      hasKey(head, "type", '"GENERATION"', '"SPAN"', '"TOOL"', '"EVENT"', '"AGENT"', '"CHAIN"')) ||
      hasKey(head, "observations", "[")),
  open: (_source, sink) => parseLangfuse(sink),
};

/** Reads observations of Langfuse. A session is a run, or a trace if it has no session. */
function parseLangfuse(sink: TranscriptSink): TranscriptParser {
  const runs = createSpanRuns(sink);
  return {
    record(value) {
      if (Array.isArray(value)) return value.map((entry) => takeEntry(runs, entry)).every(Boolean);
      const data = recordOf(value)?.data;
      if (Array.isArray(data)) return data.map((entry) => takeEntry(runs, entry)).every(Boolean);
      return takeEntry(runs, value);
    },
    end: () => runs.end(),
  };
}

function takeEntry(runs: SpanRuns, value: unknown): boolean {
  const record = recordOf(value);
  if (record === undefined) return false;
  if (!Array.isArray(record.observations)) return takeObservation(runs, record, {});
  const trace = recordOf(record.trace) ?? record;
  for (const observation of record.observations) {
    const own = recordOf(observation);
    if (own !== undefined) takeObservation(runs, own, trace);
  }
  return true;
}

/** The API writes `startTime`, an export to blob storage writes `start_time`. */
function inOneSpelling(record: ForeignRecord): ForeignRecord {
  if (!("trace_id" in record) && !("start_time" in record)) return record;
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

const ANSWERS = ["GENERATION"];
const CALLS = ["TOOL", "RETRIEVER"];

function takeObservation(runs: SpanRuns, written: ForeignRecord, trace: ForeignRecord): boolean {
  const record = inOneSpelling(written);
  const type = textOf(record.type);
  const id = textOf(record.id);
  if (type === undefined || id === undefined) return false;
  const name = textOf(record.sessionId) ?? textOf(trace.sessionId) ?? textOf(record.traceId) ?? textOf(trace.id) ?? id;
  const span = { id, start: timeOf(record.startTime), end: timeOf(record.endTime) };
  const facts = { agentVersion: textOf(record.version) ?? textOf(trace.version) };
  if (ANSWERS.includes(type)) {
    const answer = {
      text: loggedAnswer(parsed(record.output)),
      model: textOf(record.model) ?? textOf(record.providedModelName),
      usage: usageOf(record),
      ...loggedUser(parsed(record.input)),
    };
    runs.add(name, { ...span, answer }, facts);
  } else if (CALLS.includes(type)) {
    const isFailed = record.level === "ERROR";
    const output = isFailed ? (textOf(record.statusMessage) ?? parsed(record.output)) : parsed(record.output);
    const tool = {
      name: textOf(record.name) ?? "tool",
      args: parsed(record.input),
      output,
      error: isFailed ? true : undefined,
    };
    runs.add(name, { ...span, tool }, facts);
  }
  return true;
}

/** Some exports contain input and output as JSON text. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || (!value.startsWith("{") && !value.startsWith("["))) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
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
