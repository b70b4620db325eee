import { countOf, type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../foreign-value.ts";
import { hasKey } from "../head-keys.ts";
import { loggedAnswer, loggedUser } from "../logged-messages.ts";
import type { TranscriptParser, TranscriptReader, TranscriptSink, TranscriptUsage } from "../reader.ts";
import { createSpanRuns, type Span, type SpanRuns } from "../span-runs.ts";

/**
 * Spans of OpenTelemetry's conventions for generative AI, as OTLP JSON: one document, or one per line as collectors
 * write.
 */
export const otel: TranscriptReader = {
  agent: "otel",
  label: "OpenTelemetry spans",
  extensions: [".json", ".jsonl", ".ndjson"],
  layout: "any",
  // These files have no default location. Users name them on the command line.
  roots: () => [],
  isMine: (_path, head) => hasKey(head, "resourceSpans", "["),
  open: (_source, sink) => parseOtel(sink),
};

/** Reads OTLP JSON. A conversation is a run, or a trace if no conversation is named. */
function parseOtel(sink: TranscriptSink): TranscriptParser {
  const runs = createSpanRuns(sink);
  return {
    record(value) {
      const record = recordOf(value);
      if (!Array.isArray(record?.resourceSpans)) return recordOf(value) !== undefined && !("resourceSpans" in record!);
      for (const entry of record.resourceSpans) takeResource(runs, recordOf(entry));
      return true;
    },
    end: () => runs.end(),
  };
}

/** The attributes of a span, by name. */
type Attributes = ReadonlyMap<string, unknown>;

function takeResource(runs: SpanRuns, resource: ForeignRecord | undefined): void {
  const service = attributesOf(recordOf(resource?.resource)?.attributes);
  const scopes = resource?.scopeSpans ?? resource?.instrumentationLibrarySpans;
  for (const scope of listOf(scopes)) {
    for (const entry of listOf(recordOf(scope)?.spans)) takeSpan(runs, recordOf(entry), service);
  }
}

function takeSpan(runs: SpanRuns, record: ForeignRecord | undefined, service: Attributes): void {
  if (record === undefined) return;
  const attributes = attributesOf(record.attributes);
  const span = spanOf(record, attributes);
  if (span === undefined) return;
  const conversation = textOf(attributes.get("gen_ai.conversation.id")) ?? textOf(attributes.get("session.id"));
  const name = conversation ?? textOf(record.traceId) ?? "trace";
  runs.add(name, span, {
    project: textOf(service.get("service.name")),
    agentVersion: textOf(service.get("service.version")),
  });
}

const ANSWERS = ["chat", "text_completion", "generate_content"];
const FAILED = 2;

/** Converts a span of a model answer or a tool call. Undefined for all others. */
function spanOf(record: ForeignRecord, attributes: Attributes): Span | undefined {
  const operation = attributes.get("gen_ai.operation.name");
  const start = timeOf(record.startTimeUnixNano);
  const end = timeOf(record.endTimeUnixNano);
  const own = textOf(record.spanId) ?? "span";
  if (operation === "execute_tool" || attributes.has("gen_ai.tool.call.id")) {
    const status = recordOf(record.status);
    const isFailed = status?.code === FAILED || status?.code === "STATUS_CODE_ERROR" || attributes.has("error.type");
    const result = parsed(attributes.get("gen_ai.tool.call.result"));
    const name = textOf(attributes.get("gen_ai.tool.name")) ?? textOf(record.name) ?? "tool";
    const output = result ?? (isFailed ? faultOf(record, status) : undefined);
    const args = attributes.get("gen_ai.tool.call.arguments");
    const id = textOf(attributes.get("gen_ai.tool.call.id")) ?? own;
    return { id, start, end, tool: { name, args, output, error: isFailed ? true : undefined } };
  }
  if (typeof operation !== "string" || !ANSWERS.includes(operation)) return undefined;
  const model = textOf(attributes.get("gen_ai.response.model")) ?? textOf(attributes.get("gen_ai.request.model"));
  const text = loggedAnswer(parsed(attributes.get("gen_ai.output.messages")));
  const user = loggedUser(parsed(attributes.get("gen_ai.input.messages")));
  const id = textOf(attributes.get("gen_ai.response.id")) ?? own;
  return { id, start, end, answer: { text, model, usage: usageOf(attributes), ...user } };
}

function faultOf(record: ForeignRecord, status: ForeignRecord | undefined): unknown {
  for (const event of listOf(record.events)) {
    for (const entry of listOf(recordOf(event)?.attributes)) {
      const { key, value } = recordOf(entry) ?? {};
      if (key === "exception.message") return recordOf(value)?.stringValue;
    }
  }
  return status?.message;
}

function usageOf(attributes: Attributes): TranscriptUsage | undefined {
  const input = attributes.get("gen_ai.usage.input_tokens");
  const output = attributes.get("gen_ai.usage.output_tokens");
  if (input === undefined && output === undefined) return undefined;
  const cacheReadTokens = countOf(attributes.get("gen_ai.usage.cache_read.input_tokens"));
  const cacheWriteTokens = countOf(attributes.get("gen_ai.usage.cache_creation.input_tokens"));
  const inputTokens = Math.max(0, countOf(input) - cacheReadTokens - cacheWriteTokens);
  return { inputTokens, outputTokens: countOf(output), cacheReadTokens, cacheWriteTokens };
}

/** Messages and results are JSON text, unless the exporter supports structured values. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || (!value.startsWith("{") && !value.startsWith("[") && !value.startsWith('"')))
    return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const MAX_ATTRIBUTES = 1000;

/** Reads a list of keys and typed values. Integers are text, because JSON has no 64-bit numbers. */
function attributesOf(list: unknown): Attributes {
  const attributes = new Map<string, unknown>();
  for (const entry of listOf(list).slice(0, MAX_ATTRIBUTES)) {
    const { key, value } = recordOf(entry) ?? {};
    if (typeof key === "string") attributes.set(key, typedValue(recordOf(value)));
  }
  return attributes;
}

function typedValue(value: ForeignRecord | undefined): unknown {
  if (value === undefined) return undefined;
  const { stringValue, intValue, doubleValue, boolValue } = value;
  if (stringValue !== undefined) return stringValue;
  if (typeof intValue === "string") return Number(intValue);
  return intValue ?? doubleValue ?? boolValue ?? value;
}
