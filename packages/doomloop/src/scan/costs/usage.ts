import type { TranscriptUsage } from "../../transcripts/reader.ts";

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** A list of ranges, with the sum over any part of it. */
export interface AmountSums {
  add(low: number, high: number): void;
  /** The sum of the ranges after index `after`, up to and including `to`. -1 is before the first. */
  between(after: number, to: number): Range;
}

/**
 * Creates sums for at most `capacity` ranges.
 *
 * Counts in whole units, `unitsInOne` for each 1, so that parts add up exactly to the whole.
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

/** Cleans usage from a transcript so that it can be added up. Invalid numbers count as 0. */
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

/** More than any answer uses. A higher number is wrong and would hide all others. */
const MAX_TOKENS = 1e9;

/** A token count from a transcript. */
export function cleanTokens(value: unknown): number {
  return typeof value === "number" && value > 0 && value <= MAX_TOKENS ? value : 0;
}

/** More than any run costs. */
const MAX_COST_USD = 1e5;

/** A cost from a transcript. Undefined for 0, because some agents write 0 if they do not know the cost. */
export function cleanCost(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 && value <= MAX_COST_USD ? value : undefined;
}
