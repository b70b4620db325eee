import type { Amount } from "../scan/report.ts";

/** Tokens for people: `about 1.2M to 3.4M tokens`. */
export function tokensInWords(amount: Amount): string {
  return `${about(amount)}${range(amount, shortNumber)} tokens`;
}

/** Money for people: `about $1.20 to $3.40`. */
export function moneyInWords(amount: Amount): string {
  return `${about(amount)}${range(amount, money)}`;
}

/** A number in at most five characters: `950`, `12.3K`, `4.5M`. */
export function shortNumber(value: number): string {
  const units = ["", "K", "M", "G", "T"];
  let rest = value;
  let unit = 0;
  for (; rest >= 999.5 && unit < units.length - 1; unit++) rest /= 1000;
  return unit === 0 ? String(Math.round(rest)) : `${rest < 99.95 ? rest.toFixed(1) : Math.round(rest)}${units[unit]}`;
}

/** Dollars. What is spent is never shown as nothing. */
export function money(value: number): string {
  if (value > 0 && value < 0.01) return "<$0.01";
  return value < 1000 ? `$${value.toFixed(2)}` : `$${Math.round(value).toLocaleString("en-US")}`;
}

function about({ isEstimated }: Amount): string {
  return isEstimated ? "about " : "";
}

function range({ low, high }: Amount, write: (value: number) => string): string {
  const [from, to] = [write(low), write(high)];
  return from === to ? to : `${from} to ${to}`;
}
