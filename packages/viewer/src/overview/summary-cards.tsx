import type { Report } from "../../../doomloop/src/cli/scan/report.ts";
import { addAmounts } from "../format/add-amounts.ts";
import { count } from "../format/count.ts";
import { formatSpent } from "../format/format-spent.ts";
import { formatTokens } from "../format/format-tokens.ts";
import { ActionMark } from "../page/action-mark.tsx";
import type { LoopRow } from "../report/report-index.ts";
import { ACTION_ORDER, actionWords } from "../words/action-words.ts";

interface SummaryCardsProps {
  readonly report: Report;
  readonly rows: readonly LoopRow[];
}

/** The figures that matter, one card each. */
export function SummaryCards({ report: { totals }, rows }: SummaryCardsProps) {
  const { afterOnset } = totals;
  const share = totals.calls > 0 ? afterOnset.calls / totals.calls : 0;
  const unpriced = afterOnset.costUsd === null ? [] : rows.filter(({ loop }) => loop.afterOnset.costUsd === null);
  const unpricedTokens = unpriced.reduce<ReturnType<typeof addAmounts>>(
    (sum, { loop }) => addAmounts(sum, loop.afterOnset.tokens),
    null,
  );

  return (
    <section class="cards" aria-label="Summary">
      <div class="card">
        <h2>Loops</h2>
        <p class="figure">{count(totals.loops)}</p>
        <p class="note">
          in {count(totals.sessionsWithLoops)} of {count(totals.sessions, "session")}
        </p>
      </div>
      <div class="card">
        <h2>After the guard’s first word</h2>
        <p class="figure">{count(afterOnset.calls, "call")}</p>
        <p class="note">
          {percent(share)} of {count(totals.calls, "call")}
        </p>
      </div>
      <div class="card">
        <h2>Spent on those calls</h2>
        <p class="figure">{formatSpent(afterOnset)}</p>
        <p class="note">
          of {formatSpent(totals)} in all
          {totals.unpricedSessions > 0 && `, without ${count(totals.unpricedSessions, "session")} of unknown price`}.
          Listening could have saved at most this much.
          {unpricedTokens !== null && ` Loops of unknown price took ${formatTokens(unpricedTokens)} more.`}
        </p>
      </div>
      <div class="card">
        <h2>The guard would have</h2>
        <ul class="ladder">
          {ACTION_ORDER.map((action) => ({ action, loops: loopsWith(rows, action) }))
            .filter(({ loops, action }) => loops > 0 || action !== "restart")
            .map(({ action, loops }) => (
              <li key={action}>
                <ActionMark action={action} /> {actionWords(action).done} <b>{count(loops, "loop")}</b>
              </li>
            ))}
        </ul>
      </div>
    </section>
  );
}

function loopsWith(rows: readonly LoopRow[], action: string): number {
  return rows.filter(({ loop }) => loop.decisions.some((decision) => decision.action === action)).length;
}

function percent(share: number): string {
  return share > 0 && share < 0.001
    ? "under 0.1%"
    : new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 }).format(share);
}
