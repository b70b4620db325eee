import { actionWords } from "./action-words.ts";
import { knownSpending } from "./amounts.ts";
import { count } from "./count.ts";
import type { LoopSummary } from "./report.ts";

/**
 * What a loop went on to spend, and since when: `spent about $1.20 after the guard would have nudged it at call 12`.
 *
 * Follows the name of an agent. Money if there is any, else tokens, else calls: what was done is never nothing.
 */
export function spentAfterInWords({ decisions, afterOnset }: Pick<LoopSummary, "decisions" | "afterOnset">): string {
  const [first] = decisions.toSorted((one, other) => one.call - other.call);
  const since =
    first === undefined
      ? "after the guard would first have spoken"
      : `after the guard would have ${actionWords(first.action).done} it at call ${count(first.call)}`;
  return `${spentOn(afterOnset)} ${since}`;
}

function spentOn(afterOnset: LoopSummary["afterOnset"]): string {
  const known = knownSpending(afterOnset);
  if (known !== undefined) return `spent ${known}`;
  const { calls } = afterOnset;
  return calls > 0 ? `made ${count(calls, "call")} more` : "spent nothing of its own";
}
