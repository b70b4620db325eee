import type { Amount } from "./report.ts";

interface Spent {
  readonly costUsd: Amount | null;
  readonly tokens: Amount | null;
}

const UNITS = ["", "K", "M", "G", "T"];

/** What something took, as well as it is known: money, else tokens, else that nobody knows. */
export function spentInWords(spent: Spent): string {
  if (spent.costUsd !== null) return moneyInWords(spent.costUsd);
  return spent.tokens === null ? "unknown" : tokensInWords(spent.tokens);
}

/** What was spent of anything at all: money, else tokens; undefined where neither is known. */
export function knownSpending({ costUsd, tokens }: Spent): string | undefined {
  if (isSome(costUsd)) return moneyInWords(costUsd);
  return isSome(tokens) ? tokensInWords(tokens) : undefined;
}

/** Whether an amount is known, and more than nothing. */
export function isSome(amount: Amount | null): amount is Amount {
  return amount !== null && amount.high > 0;
}

/** Tokens for people: `about 1.2M to 3.4M tokens`. */
export function tokensInWords(amount: Amount): string {
  const figure = range(amount, shortNumber, 1);
  return figure === undefined ? "no tokens" : `${figure} ${figure === "1" ? "token" : "tokens"}`;
}

/** Money for people: `about $1.20 to $3.40`. A range is always told as one, and what is spent is never nothing. */
export function moneyInWords(amount: Amount): string {
  if (amount.high > 0 && amount.high < 0.01) return "under $0.01";
  return range(amount, money, 0.01) ?? "nothing";
}

/** A number in at most five characters: `950`, `12.3K`, `4.5M`. */
export function shortNumber(value: number): string {
  let rest = value;
  let unit = 0;
  for (; rest >= 999.5 && unit < UNITS.length - 1; unit++) rest /= 1000;
  return unit === 0 ? String(Math.round(rest)) : `${rest < 99.95 ? rest.toFixed(1) : Math.round(rest)}${UNITS[unit]}`;
}

function money(value: number): string {
  return value < 999.995 ? `$${value.toFixed(2)}` : `$${Math.round(value).toLocaleString("en-US")}`;
}

/** Undefined for nothing at all. What is less than the least that can be shown is "up to" the rest. */
function range({ low, high, isEstimated }: Amount, write: (value: number) => string, least: number) {
  if (!(high > 0)) return undefined;
  const about = isEstimated ? "about " : "";
  const [from, to] = [write(low), write(high)];
  if (from === to) return `${about}${to}`;
  return low < least ? `up to ${about}${to}` : `${about}${from} to ${to}`;
}

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
