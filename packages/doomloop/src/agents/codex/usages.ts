import { countOf, type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { TranscriptUsage } from "../../transcripts/reader.ts";

/** Reads what answers took. */
export interface Usages {
  read(type: string, payload: ForeignRecord): TranscriptUsage | undefined;
}

/**
 * Newer rollouts tell the usage of each answer (`token_usage_record`) and the sum as well (`token_count`), older ones only
 * the latter, which is also written again when nothing but a rate limit has changed.
 */
export function createUsages(): Usages {
  let hasRecords = false;
  let lastTotal = -1;
  return {
    read(type, payload) {
      if (type === "token_usage_record") {
        hasRecords = true;
        const usage = recordOf(payload.usage);
        return usage === undefined ? undefined : { ...usageOf(usage), id: textOf(payload.response_id) };
      }
      if (payload.type !== "token_count" || hasRecords) return undefined;
      const info = recordOf(payload.info);
      const last = recordOf(info?.last_token_usage);
      const total = countOf(recordOf(info?.total_token_usage)?.total_tokens);
      if (last === undefined || total === lastTotal) return undefined;
      lastTotal = total;
      return usageOf(last);
    },
  };
}

/** Cached tokens are part of the input here. */
function usageOf(usage: ForeignRecord): TranscriptUsage {
  const cacheReadTokens = countOf(usage.cached_input_tokens);
  const cacheWriteTokens = countOf(usage.cache_write_input_tokens);
  const inputTokens = Math.max(0, countOf(usage.input_tokens) - cacheReadTokens - cacheWriteTokens);
  return { inputTokens, outputTokens: countOf(usage.output_tokens), cacheReadTokens, cacheWriteTokens };
}
