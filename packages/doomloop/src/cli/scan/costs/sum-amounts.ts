import type { Amount } from "../report.ts";

/** Amounts together: those that are not known are left out, and null comes of none. */
export function sumAmounts(amounts: readonly (Amount | null)[]): Amount | null {
  let sum: { low: number; high: number; isEstimated: boolean } | null = null;
  for (const amount of amounts) {
    if (amount === null) continue;
    sum ??= { low: 0, high: 0, isEstimated: false };
    sum.low += amount.low;
    sum.high += amount.high;
    sum.isEstimated ||= amount.isEstimated && amount.high > 0;
  }
  return sum;
}
