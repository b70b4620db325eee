import { countOf, type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../foreign-value.ts";
import { loggedAnswer, loggedUser } from "../logged-messages.ts";
import type { TranscriptUsage } from "../reader.ts";
import type { Span } from "../span-runs.ts";
import type { Attributes } from "./attributes.ts";

const ANSWERS = ["chat", "text_completion", "generate_content"];
const FAILED = 2;

/** A span as an answer or a tool's work; undefined for all others. */
export function spanOf(record: ForeignRecord, attributes: Attributes): Span | undefined {
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

/** Messages and results are JSON text, unless an exporter can do better. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || (!value.startsWith("{") && !value.startsWith("[") && !value.startsWith('"')))
    return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
