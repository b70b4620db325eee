import { countOf, type ForeignRecord } from "./foreign-value.ts";
import type { TranscriptUsage } from "./reader.ts";

/** Usage as the Messages API tells it: cached tokens are counted apart from the input. */
export function anthropicUsage(usage: ForeignRecord): TranscriptUsage {
  return {
    inputTokens: countOf(usage.input_tokens),
    outputTokens: countOf(usage.output_tokens),
    cacheReadTokens: countOf(usage.cache_read_input_tokens),
    cacheWriteTokens: countOf(usage.cache_creation_input_tokens),
  };
}
