import type { Amount } from "../../../doomloop/src/cli/scan/report.ts";

/** The sum of two amounts. An unknown one adds nothing; two unknown ones stay unknown. */
export function addAmounts(one: Amount | null, other: Amount | null, share = 1): Amount | null {
  if (other === null) return one;
  return {
    low: (one?.low ?? 0) + other.low * share,
    high: (one?.high ?? 0) + other.high * share,
    isEstimated: (one?.isEstimated ?? false) || other.isEstimated,
  };
}
