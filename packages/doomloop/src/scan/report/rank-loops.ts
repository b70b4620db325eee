import { isClose, isSome, lateSpending } from "./amounts.ts";
import type { LoopSummary } from "./report.ts";

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
