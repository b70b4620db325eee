import { countOf, type ForeignRecord, listOf, recordOf, recordsOf, textOf, timeOf } from "../foreign-value.ts";
import { hasKey } from "../head-keys.ts";
import type { TranscriptUsage } from "../reader.ts";
import { type AddSpan, parsedText, type Span, spanReader } from "../span-runs.ts";

/**
 * Spans of OpenTelemetry's conventions for generative AI, as OTLP JSON: one document, or one per line as collectors
 * write. A conversation is a run, or a trace if no conversation is named.
 */
export const otel = spanReader({
  agent: "otel",
  label: "OpenTelemetry spans",
  isMine: (head) => hasKey(head, "resourceSpans", "["),
  take({ resourceSpans }, add) {
    for (const resource of recordsOf(resourceSpans)) takeResource(resource, add);
    return resourceSpans === undefined || Array.isArray(resourceSpans);
  },
});

/** The attributes of a span, by name. */
type Attributes = ReadonlyMap<string, unknown>;

function takeResource(resource: ForeignRecord, add: AddSpan): void {
  const service = attributesOf(recordOf(resource.resource)?.attributes);
  const facts = { project: textOf(service.get("service.name")), agentVersion: textOf(service.get("service.version")) };
  for (const scope of recordsOf(resource.scopeSpans)) {
    for (const record of recordsOf(scope.spans)) {
      const attributes = attributesOf(record.attributes);
      const span = spanOf(record, attributes);
      const conversation = textOf(attributes.get("gen_ai.conversation.id")) ?? textOf(attributes.get("session.id"));
      if (span !== undefined) add(conversation ?? textOf(record.traceId) ?? "trace", span, facts);
    }
  }
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
    const result = parsedText(attributes.get("gen_ai.tool.call.result"));
    const name = textOf(attributes.get("gen_ai.tool.name")) ?? textOf(record.name) ?? "tool";
    const output = result ?? (isFailed ? faultOf(record, status) : undefined);
    const args = attributes.get("gen_ai.tool.call.arguments");
    const id = textOf(attributes.get("gen_ai.tool.call.id")) ?? own;
    return { id, start, end, tool: { name, args, output, isFailed } };
  }
  if (typeof operation !== "string" || !ANSWERS.includes(operation)) return undefined;
  const model = textOf(attributes.get("gen_ai.response.model")) ?? textOf(attributes.get("gen_ai.request.model"));
  const input = parsedText(attributes.get("gen_ai.input.messages"));
  const output = parsedText(attributes.get("gen_ai.output.messages"));
  const id = textOf(attributes.get("gen_ai.response.id")) ?? own;
  return { id, start, end, answer: { input, output, model, usage: usageOf(attributes) } };
}

function faultOf(record: ForeignRecord, status: ForeignRecord | undefined): unknown {
  const attributes = recordsOf(record.events).flatMap((event) => recordsOf(event.attributes));
  const found = attributes.find(({ key }) => key === "exception.message");
  return found === undefined ? status?.message : recordOf(found.value)?.stringValue;
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

const MAX_ATTRIBUTES = 1000;

/** Reads a list of keys and typed values. Integers are text, because JSON has no 64-bit numbers. */
function attributesOf(list: unknown): Attributes {
  const attributes = new Map<string, unknown>();
  for (const { key, value } of recordsOf(listOf(list).slice(0, MAX_ATTRIBUTES))) {
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
