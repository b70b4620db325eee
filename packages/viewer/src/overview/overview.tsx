import { useCallback, useRef } from "preact/hooks";
import {
  circlesInWords,
  costInWords,
  possibleInWords,
  spentLateInWords,
} from "../../../doomloop/src/scan/report/answer.ts";
import { worstInWords } from "../../../doomloop/src/scan/report/headline.ts";
import type { Report } from "../../../doomloop/src/scan/report/report.ts";
import { capitalized, count } from "../../../doomloop/src/scan/report/words.ts";
import { formatTime } from "../format/format-time.ts";
import { Foreign } from "../page/foreign.tsx";
import type { ReportIndex } from "../report/report-index.ts";
import type { LoopFilter } from "../table/filter-loops.ts";
import { LoopTable } from "../table/loop-table.tsx";
import { PossibleLoops } from "../table/possible-loops.tsx";
import { narrow, type TableView } from "../table/table-view.ts";
import { AdviceList } from "./advice.tsx";
import { Breakdowns } from "./breakdowns.tsx";
import { Repeats } from "./repeats.tsx";
import { SummaryCards } from "./summary-cards.tsx";
import { TimeChart } from "./time-chart.tsx";
import { WorstRun } from "./worst-run.tsx";

interface OverviewProps {
  readonly report: Report;
  readonly index: ReportIndex;
  readonly view: TableView;
  readonly onView: (view: TableView) => void;
}

/** The worst run first, then all loops: what they cost, one line for each, and when they happened. */
export function Overview({ report, index, view, onView }: OverviewProps) {
  const { totals } = report;
  const soFar = report.stopped == null ? "" : " so far";
  const circles = capitalized(circlesInWords(totals, soFar));
  const spent = spentLateInWords(report);
  const worstWords = worstInWords(report);
  const cost = costInWords(totals);
  const first = totals.loops > 0 ? [circles, spent] : [count(totals.calls, "call"), cost && capitalized(cost)];
  const lead = [...first, possibleInWords(totals)]
    .filter((words) => words !== undefined)
    .map((words) => `${words}.`)
    .join(" ");
  // The dearest loops come first in a report.
  const [worst] = index.rows;
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
          {worstWords === undefined ? (
            `No loops${soFar} in ${count(totals.sessions, "session")}`
          ) : (
            <Foreign text={worstWords} />
          )}
        </h1>
        {lead !== "" && (
          <p class="hero-lead">
            <Foreign text={lead} />
          </p>
        )}
        <p class="hero-facts">{factsOf(report)}</p>
      </div>
      {worst !== undefined && <WorstRun index={index} row={worst} />}
      {worst !== undefined && <SummaryCards report={report} rows={index.rows} />}
      {worst !== undefined && (
        <>
          <LoopTable rows={index.rows} view={view} onView={onView} sectionRef={table} />
          <PossibleLoops rows={index.possible} />
          <TimeChart rows={index.rows} report={report} onChoose={(span) => show({ span })} />
          {/* Reports of earlier versions have none. */}
          <AdviceList advice={report.advice ?? []} />
          <Breakdowns rows={index.rows} onChoose={show} />
        </>
      )}
      {worst === undefined && <PossibleLoops rows={index.possible} />}
      {worst === undefined && <Repeats report={report} />}
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
    prices ? `prices of ${prices}` : "no prices",
    unread.length > 0 ? `${unread.join(" and ")} skipped` : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
