import { closeSpending, lateSpending, sumAmounts, tokensInWords } from "../../../doomloop/src/scan/report/amounts.ts";
import { possibleInWords } from "../../../doomloop/src/scan/report/answer.ts";
import type { Report } from "../../../doomloop/src/scan/report/report.ts";
import { ACTION_ORDER, actionWords, count } from "../../../doomloop/src/scan/report/words.ts";
import { ActionMark } from "../page/action-mark.tsx";
import type { LoopRow } from "../report/report-index.ts";

interface SummaryCardsProps {
  readonly report: Report;
  readonly rows: readonly LoopRow[];
}

/** The figures that matter, one card each. */
export function SummaryCards({ report: { totals }, rows }: SummaryCardsProps) {
  const { afterOnset } = totals;
  const possible = possibleInWords(totals);
  const [late, whole] = [closeSpending(lateSpending(afterOnset)), closeSpending(totals)];
  const share = totals.calls > 0 ? afterOnset.calls / totals.calls : 0;
  const unpriced =
    afterOnset.costUsd === null ? [] : rows.filter(({ loop }) => lateSpending(loop.afterOnset).costUsd === null);
  const unpricedTokens = sumAmounts(unpriced.map(({ loop }) => lateSpending(loop.afterOnset).tokens));

  return (
    <section class="cards" aria-label="Summary">
      <div class="card">
        <h2>Loops</h2>
        <p class="figure">{count(totals.loops)}</p>
        <p class="note">
          in {count(totals.sessionsWithLoops)} of {count(totals.sessions, "session")}
          {possible !== undefined && `. Not among them: ${possible}`}
        </p>
      </div>
      <div class="card">
        <h2>After doomloop would have stepped in</h2>
        <p class="figure">{count(afterOnset.calls, "call")}</p>
        <p class="note">
          {percent(share)} of {count(totals.calls, "call")}
        </p>
      </div>
      <div class="card">
        <h2>Spent on those calls</h2>
        <p class="figure">{late ?? "not known closely"}</p>
        <p class="note">
          {late === undefined ? UNCLEAR : whole === undefined ? "" : `of ${whole} in all`}
          {totals.unpricedSessions > 0 && `, without ${count(totals.unpricedSessions, "session")} of unknown price`}. An
          agent that listened could have saved at most this much.
          {unpricedTokens !== null && ` Loops of unknown price took ${tokensInWords(unpricedTokens)} more.`}
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

const UNCLEAR = "Transcripts have no token counts, or models have no price";

function loopsWith(rows: readonly LoopRow[], action: string): number {
  return rows.filter(({ loop }) => loop.decisions.some((decision) => decision.action === action)).length;
}

function percent(share: number): string {
  return share > 0 && share < 0.001
    ? "under 0.1%"
    : new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 }).format(share);
}
