import type { TranscriptUsage } from "../../transcripts/reader.ts";

/** More than any answer takes: what says more is wrong, and must not drown the rest. */
const MAX_TOKENS = 1e9;

/** More than any run costs. */
const MAX_COST_USD = 1e5;

/** At least so much, at most so much. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Amounts in a row, each a range, and the sum over any stretch of them. */
export interface AmountSums {
  add(low: number, high: number): void;
  /** The sum of those after a place up to and including another; -1 is the place before the first. */
  between(after: number, to: number): Range;
}

/**
 * Creates the sums of at most so many amounts.
 *
 * Counts in whole units, of which so many are one: what stretches take adds up to what the whole takes, to the last digit.
 */
export function createAmountSums(capacity: number, unitsInOne = 1): AmountSums {
  const lows = new Float64Array(capacity + 1);
  const highs = new Float64Array(capacity + 1);
  let count = 0;
  const clamp = (place: number): number => Math.max(0, Math.min(place, count));
  return {
    add(low, high) {
      lows[count + 1] = lows[count]! + Math.round(low * unitsInOne);
      highs[count + 1] = highs[count]! + Math.round(high * unitsInOne);
      count++;
    },
    between(after, to) {
      const start = clamp(after + 1);
      const end = Math.max(start, clamp(to + 1));
      return { low: (lows[end]! - lows[start]!) / unitsInOne, high: (highs[end]! - highs[start]!) / unitsInOne };
    },
  };
}

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
