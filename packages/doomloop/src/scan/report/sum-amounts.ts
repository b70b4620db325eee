import type { Amount } from "./report.ts";

/** Amounts together: those that are not known are left out, and null comes of none. The same in whichever order they come. */
export function sumAmounts(amounts: readonly (Amount | null)[]): Amount | null {
  const sum = amounts.reduce<Amount | null>((total, amount) => addAmounts(total, amount), null);
  return sum && { ...sum, low: exact(sum.low), high: exact(sum.high) };
}

/** The sum of two amounts, of the other a share. An unknown one adds nothing; two unknown ones stay unknown. */
export function addAmounts(one: Amount | null, other: Amount | null, share = 1): Amount | null {
  if (other === null) return one;
  return {
    low: (one?.low ?? 0) + other.low * share,
    high: (one?.high ?? 0) + other.high * share,
    isEstimated: (one?.isEstimated ?? false) || (other.isEstimated && other.high > 0),
  };
}

/** Amounts are tokens, or dollars with nine digits: what lies beyond comes of adding fractions, and of their order. */
function exact(sum: number): number {
  return Number.isInteger(sum) ? sum : Math.round(sum * 1e9) / 1e9;
}
