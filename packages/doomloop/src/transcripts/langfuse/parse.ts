import { countOf, type ForeignRecord, recordOf, textOf, timeOf } from "../foreign-value.ts";
import { loggedAnswer, loggedUser } from "../logged-messages.ts";
import type { TranscriptParser, TranscriptSink, TranscriptUsage } from "../reader.ts";
import { createSpanRuns, type SpanRuns } from "../span-runs.ts";

/** Reads observations of Langfuse. A trace is a run, or the session that it belongs to. */
export function parseLangfuse(sink: TranscriptSink): TranscriptParser {
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

function takeObservation(runs: SpanRuns, record: ForeignRecord, trace: ForeignRecord): boolean {
  const type = textOf(record.type);
  const id = textOf(record.id);
  if (type === undefined || id === undefined) return false;
  const name = textOf(record.sessionId) ?? textOf(trace.sessionId) ?? textOf(record.traceId) ?? textOf(trace.id) ?? id;
  const span = { id, start: timeOf(record.startTime), end: timeOf(record.endTime) };
  const facts = { agentVersion: textOf(record.version) ?? textOf(trace.version) };
  if (type === "GENERATION") {
    const input = parsed(record.input);
    const answer = {
      text: loggedAnswer(parsed(record.output)),
      model: textOf(record.model),
      usage: usageOf(record),
      ...loggedUser(input),
    };
    runs.add(name, { ...span, answer }, facts);
  } else if (type === "TOOL" || type === "RETRIEVER") {
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

/** Some exports hold input and output as JSON text. */
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
