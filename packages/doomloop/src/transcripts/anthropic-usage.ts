import { countOf, type ForeignRecord, recordOf } from "./foreign-value.ts";
import type { TranscriptUsage } from "./reader.ts";

/** Usage as the Messages API tells it: cached tokens are counted apart from the input, and those kept for an hour once more. */
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
