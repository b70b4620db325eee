import { isClose, isSome, lateSpending } from "./amounts.ts";
import type { LoopSummary } from "./report.ts";

type Ranked = Pick<LoopSummary, "afterOnset">;

/**
 * How bad each of some loops is, as a number to sort by and to draw: what it spent after doomloop would have stepped in.
 *
 * Where the price is missing, or is not known closely, each call counts as much as a call of the other loops costs. If
 * no loop has a price, calls count.
 */
export function rankBySpending(loops: readonly Ranked[]): (loop: Ranked) => number {
  const priced = loops.filter((loop) => priceOf(loop) !== undefined);
  const calls = priced.reduce((sum, { afterOnset }) => sum + afterOnset.calls, 0);
  const costUsd = priced.reduce((sum, loop) => sum + priceOf(loop)!, 0);
  const each = calls > 0 && costUsd > 0 ? costUsd / calls : 1;
  return (loop) => priceOf(loop) ?? loop.afterOnset.calls * each;
}

function priceOf({ afterOnset }: Ranked): number | undefined {
  const { costUsd } = lateSpending(afterOnset);
  return isSome(costUsd) && isClose(costUsd) ? costUsd.high : undefined;
}
