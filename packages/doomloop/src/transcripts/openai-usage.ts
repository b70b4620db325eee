import { countOf, type ForeignRecord, recordOf } from "./foreign-value.ts";
import type { TranscriptUsage } from "./reader.ts";

/** Usage as OpenAI's two interfaces tell it: cached tokens are part of the input. */
export function openaiUsage(usage: ForeignRecord): TranscriptUsage {
  const details = recordOf(usage.prompt_tokens_details) ?? recordOf(usage.input_tokens_details);
  const cacheReadTokens = countOf(details?.cached_tokens);
  const inputTokens = countOf(usage.prompt_tokens) + countOf(usage.input_tokens);
  return {
    inputTokens: Math.max(0, inputTokens - cacheReadTokens),
    outputTokens: countOf(usage.completion_tokens) + countOf(usage.output_tokens),
    cacheReadTokens,
  };
}
