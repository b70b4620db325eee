import { countOf, type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { TranscriptUsage } from "../../transcripts/reader.ts";

/** What answers took: told before the answer itself, under the id of its request. */
export interface Usages {
  add(data: ForeignRecord): void;
  /** The usage of a request; without an id, the oldest that waits. */
  take(id: string | undefined): TranscriptUsage | undefined;
}

const MAX_WAITING = 64;

export function createUsages(): Usages {
  const waiting = new Map<string, TranscriptUsage>();
  return {
    add(data) {
      const usage = recordOf(data.usage) ?? data;
      const id = textOf(usage.apiCallId) ?? `${waiting.size}`;
      waiting.set(id, { ...usageOf(usage), id: textOf(usage.apiCallId) });
      if (waiting.size > MAX_WAITING) waiting.delete(waiting.keys().next().value!);
    },
    take(id) {
      const key = id ?? waiting.keys().next().value ?? "";
      const usage = waiting.get(key);
      waiting.delete(key);
      return usage;
    },
  };
}

/** Cached tokens are part of the input here. The cost is in premium requests, which is no money. */
function usageOf(usage: ForeignRecord): TranscriptUsage {
  const cacheReadTokens = countOf(usage.cacheReadTokens);
  const cacheWriteTokens = countOf(usage.cacheWriteTokens);
  return {
    model: textOf(usage.model),
    inputTokens: Math.max(0, countOf(usage.inputTokens) - cacheReadTokens - cacheWriteTokens),
    outputTokens: countOf(usage.outputTokens),
    cacheReadTokens,
    cacheWriteTokens,
  };
}
