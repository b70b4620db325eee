import type { TranscriptUsage } from "../../transcripts/reader.ts";

/** More than any answer takes: what says more is wrong, and must not drown the rest. */
const MAX_TOKENS = 1e9;
/** More than any run costs. */
const MAX_COST_USD = 1e5;

/** A usage that someone else wrote, fit to be added up: what is no number, below nothing or beyond belief counts as nothing. */
export function cleanUsage(usage: TranscriptUsage): TranscriptUsage {
  const { id, model, costUsd } = usage;
  const cacheWriteTokens = cleanTokens(usage.cacheWriteTokens);
  return {
    id,
    model,
    inputTokens: cleanTokens(usage.inputTokens),
    outputTokens: cleanTokens(usage.outputTokens),
    cacheReadTokens: cleanTokens(usage.cacheReadTokens),
    cacheWriteTokens,
    cacheWriteLongTokens: Math.min(cacheWriteTokens, cleanTokens(usage.cacheWriteLongTokens)),
    costUsd: cleanCost(costUsd),
  };
}

/** A foreign count of tokens. */
export function cleanTokens(value: unknown): number {
  return typeof value === "number" && value > 0 && value <= MAX_TOKENS ? value : 0;
}

/** A foreign amount of money; undefined for none, because some agents write 0 where they do not know. */
export function cleanCost(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 && value <= MAX_COST_USD ? value : undefined;
}
