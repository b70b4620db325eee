import type { Amount, LateSpending, LoopSummary, Spent } from "./report.ts";

/** Money if known, else tokens, else "unknown". */
export function spentInWords(spent: Spent): string {
  if (spent.costUsd !== null) return moneyInWords(spent.costUsd);
  return spent.tokens === null ? "unknown" : tokensInWords(spent.tokens);
}

/** Money if any was spent, else tokens. Undefined if neither is known. */
export function knownSpending({ costUsd, tokens }: Spent): string | undefined {
  if (isSome(costUsd)) return moneyInWords(costUsd);
  return isSome(tokens) ? tokensInWords(tokens) : undefined;
}

/** Whether an amount is known and above zero. */
export function isSome(amount: Amount | null): amount is Amount {
  return amount !== null && amount.high > 0;
}

/** Tokens for people: `about 1.2M to 3.4M tokens`. */
export function tokensInWords(amount: Amount): string {
  const figure = range(amount, shortNumber, 1);
  return figure === undefined ? "no tokens" : `${figure} ${figure === "1" ? "token" : "tokens"}`;
}

/** Money for people: `about $1.20 to $3.40`. A range stays a range, and a tiny amount is never shown as nothing. */
export function moneyInWords(amount: Amount): string {
  if (amount.high > 0 && amount.high < 0.01) return "under $0.01";
  return range(amount, money, 0.01) ?? "nothing";
}

const UNITS = ["", "K", "M", "G", "T"];

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

/** Undefined for zero. If the low end is too small to show, the text says "up to". */
function range({ low, high, isEstimated }: Amount, write: (value: number) => string, least: number) {
  if (!(high > 0)) return undefined;
  const about = isEstimated ? "about " : "";
  const [from, to] = [write(low), write(high)];
  if (from === to) return `${about}${to}`;
  return low < least ? `up to ${about}${to}` : `${about}${from} to ${to}`;
}

/** Adds up amounts. Unknown ones are left out. Null if all are unknown. The order does not matter. */
export function sumAmounts(amounts: readonly (Amount | null)[]): Amount | null {
  const sum = amounts.reduce<Amount | null>((total, amount) => addAmounts(total, amount), null);
  return sum && { ...sum, low: exact(sum.low), high: exact(sum.high) };
}

/** Adds up times. Unknown ones are left out. Null if all are unknown. */
export function sumTimes(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : known.reduce((sum, time) => sum + time, 0);
}

/** Adds up what was spent late. */
export function sumLate(all: readonly LateSpending[]): LateSpending {
  const sumSpent = (spent: readonly Spent[]): Spent => ({
    tokens: sumAmounts(spent.map(({ tokens }) => tokens)),
    costUsd: sumAmounts(spent.map(({ costUsd }) => costUsd)),
  });
  return {
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    answers: all.reduce((sum, { answers = 0 }) => sum + answers, 0),
    timeMs: sumTimes(all.map(({ timeMs = null }) => timeMs)),
    ...sumSpent(all),
    fromNudge: sumSpent(all.map(lateSpending)),
  };
}

/** What was spent after the first nudge. Reports of earlier versions only have the range. */
export function lateSpending(afterOnset: LateSpending): Spent {
  return afterOnset.fromNudge ?? afterOnset;
}

/** A wider range says nothing in a headline. */
const MOST_TIMES = 2;

/** Whether an amount is known closely enough for a headline: its ends differ by a factor of two at most. */
export function isClose({ low, high }: Amount): boolean {
  return high <= MOST_TIMES * low || high < 0.01;
}

/** Money if it is known closely, else tokens if they are. Undefined if neither is. */
export function closeSpending({ costUsd, tokens }: Spent): string | undefined {
  if (costUsd !== null && isClose(costUsd)) return moneyInWords(costUsd);
  return tokens !== null && isClose(tokens) ? tokensInWords(tokens) : undefined;
}

/** Adds a share of the second amount to the first. An unknown amount adds nothing. Two unknown amounts stay unknown. */
export function addAmounts(one: Amount | null, other: Amount | null, share = 1): Amount | null {
  if (other === null) return one;
  return {
    low: (one?.low ?? 0) + other.low * share,
    high: (one?.high ?? 0) + other.high * share,
    isEstimated: (one?.isEstimated ?? false) || (other.isEstimated && other.high > 0),
  };
}

/**
 * Amounts are whole tokens, or dollars with nine decimals. Rounding removes the errors of adding fractions, which
 * depend on the order.
 */
function exact(sum: number): number {
  return Number.isInteger(sum) ? sum : Math.round(sum * 1e9) / 1e9;
}

type Ranked = Pick<LoopSummary, "afterOnset">;

/**
 * How bad each of some loops is, as a number to sort by and to draw: what it spent after doomloop would have stepped in.
 *
 * Where the price is missing, each call, or each answer without one, counts as much as a call of the other loops costs. Where it is not known closely,
 * the same holds, within what the loop may have cost. If no loop has a price, calls count.
 */
export function rankBySpending(loops: readonly Ranked[]): (loop: Ranked) => number {
  const priced = loops.filter((loop) => closePrice(loop) !== undefined);
  const calls = priced.reduce((sum, { afterOnset }) => sum + stepsOf({ afterOnset }), 0);
  const costUsd = priced.reduce((sum, loop) => sum + closePrice(loop)!, 0);
  const each = calls > 0 && costUsd > 0 ? costUsd / calls : 1;
  return (loop) => {
    const price = closePrice(loop);
    if (price !== undefined) return price;
    const { costUsd: wide } = lateSpending(loop.afterOnset);
    const guess = stepsOf(loop) * each;
    return priced.length > 0 && isSome(wide) ? Math.min(wide.high, Math.max(wide.low, guess)) : guess;
  };
}

/** Calls, or the answers of a loop that has none. */
function stepsOf({ afterOnset: { calls, answers = 0 } }: Ranked): number {
  return calls === 0 ? answers : calls;
}

function closePrice({ afterOnset }: Ranked): number | undefined {
  const { costUsd } = lateSpending(afterOnset);
  return isSome(costUsd) && isClose(costUsd) ? costUsd.high : undefined;
}
