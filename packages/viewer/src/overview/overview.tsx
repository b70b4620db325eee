import { useCallback, useRef } from "preact/hooks";
import type { Report } from "../../../doomloop/src/cli/scan/report.ts";
import { count } from "../format/count.ts";
import { formatTime } from "../format/format-time.ts";
import type { ReportIndex } from "../report/report-index.ts";
import type { LoopFilter } from "../table/filter-loops.ts";
import { LoopTable } from "../table/loop-table.tsx";
import { narrow, type TableView } from "../table/table-view.ts";
import { Breakdowns } from "./breakdowns.tsx";
import { SummaryCards } from "./summary-cards.tsx";
import { TimeChart } from "./time-chart.tsx";

interface OverviewProps {
  readonly report: Report;
  readonly index: ReportIndex;
  readonly view: TableView;
  readonly onView: (view: TableView) => void;
}

/** All loops: what they cost, when they happened, and one line for each. */
export function Overview({ report, index, view, onView }: OverviewProps) {
  const { totals } = report;
  const table = useRef<HTMLElement>(null);
  const show = useCallback(
    (filter: LoopFilter) => {
      onView(narrow({ ...view, filter: {} }, filter));
      table.current?.scrollIntoView({ block: "start" });
      table.current?.querySelector("h2")?.focus({ preventScroll: true });
    },
    [view, onView],
  );

  return (
    <>
      <div class="hero">
        <h1 tabIndex={-1}>
          {totals.loops > 0
            ? `${count(totals.sessionsWithLoops)} of ${count(totals.sessions, "session")} went in circles`
            : `No loops in ${count(totals.sessions, "session")}`}
        </h1>
        <p class="hero-facts">{factsOf(report)}</p>
      </div>
      <SummaryCards report={report} rows={index.rows} />
      {index.rows.length > 0 && (
        <>
          <TimeChart rows={index.rows} range={report.range} onChoose={(span) => show({ span })} />
          <Breakdowns rows={index.rows} onChoose={show} />
          <LoopTable rows={index.rows} view={view} onView={onView} sectionRef={table} />
        </>
      )}
    </>
  );
}

function factsOf({ range, pricesAsOf, skipped }: Report): string {
  const since = formatTime(range.since, "day");
  const until = formatTime(range.until, "day");
  const prices = formatTime(pricesAsOf, "day");
  const unread = [
    skipped.files > 0 ? count(skipped.files, "file") : "",
    skipped.lines > 0 ? count(skipped.lines, "line") : "",
  ].filter((part) => part !== "");
  return [
    since && until ? `${since} to ${until}` : since ? `Since ${since}` : until ? `Until ${until}` : "All recorded time",
    prices ? `prices of ${prices}` : "nothing was priced",
    unread.length > 0 ? `${unread.join(" and ")} passed over` : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
