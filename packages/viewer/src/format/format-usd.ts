import type { Amount } from "../../../doomloop/src/cli/scan/report.ts";

const cents = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const whole = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });

/** Money in words: a range as a range, an estimate with "about". An amount of nothing is called so, never `$0`. */
export function formatUsd({ low, high, isEstimated }: Amount): string {
  if (!(high > 0)) return "nothing";
  if (high < 0.01) return "under $0.01";
  const about = isEstimated ? "about " : "";
  const [from, to] = [dollars(low), dollars(high)];
  if (from === to) return about + to;
  return low < 0.005 ? `up to ${about}${to}` : `${about}${from} to ${to}`;
}

function dollars(value: number): string {
  return (value >= 1000 ? whole : cents).format(value);
}
