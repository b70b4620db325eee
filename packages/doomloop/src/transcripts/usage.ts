import { countOf, type ForeignRecord, recordOf } from "./foreign-value.ts";
import type { TranscriptUsage } from "./reader.ts";

/** Usage from OpenAI's two APIs, which include cached tokens in the input. */
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

/**
 * Usage from the Messages API, which counts cached tokens apart from the input, and lists those cached for an hour
 * again.
 */
export function anthropicUsage(usage: ForeignRecord): TranscriptUsage {
  const cacheWriteLongTokens = countOf(recordOf(usage.cache_creation)?.ephemeral_1h_input_tokens);
  return {
    inputTokens: countOf(usage.input_tokens),
    outputTokens: countOf(usage.output_tokens),
    cacheReadTokens: countOf(usage.cache_read_input_tokens),
    cacheWriteTokens: countOf(usage.cache_creation_input_tokens),
    ...(cacheWriteLongTokens > 0 && { cacheWriteLongTokens }),
  };
}
