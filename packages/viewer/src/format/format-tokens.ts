import type { Amount } from "../../../doomloop/src/cli/scan/report.ts";
import { count } from "./count.ts";

const MILLION = 1_000_000;
const rounded = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2 });
const millions = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** Tokens in words: recorded ones to the digit, estimates to two digits and with "about", a range as a range. */
export function formatTokens({ low, high, isEstimated }: Amount): string {
  if (!(high > 0)) return "no tokens";
  const about = isEstimated ? "about " : "";
  const [from, to] = [figure(low, isEstimated), figure(high, isEstimated)];
  if (from === to) return `${about}${to} ${to === "1" ? "token" : "tokens"}`;
  return low > 0 ? `${about}${from} to ${to} tokens` : `up to ${about}${to} tokens`;
}

function figure(value: number, isEstimated: boolean): string {
  if (value >= MILLION) return `${millions.format(value / MILLION)} million`;
  return isEstimated ? rounded.format(value) : count(Math.round(value));
}
