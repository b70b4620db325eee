import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { count } from "../../../doomloop/src/scan/report/words.ts";
import type { LoopRow } from "../report/report-index.ts";
import { filterLoops } from "./filter-loops.ts";
import { LoopFilters } from "./loop-filters.tsx";
import { LoopLine } from "./loop-line.tsx";
import { Pager } from "./pager.tsx";
import { type LoopSort, type SortColumn, sortLoops } from "./sort-loops.ts";
import type { TableView } from "./table-view.ts";

interface LoopTableProps {
  readonly rows: readonly LoopRow[];
  readonly view: TableView;
  readonly onView: (view: TableView) => void;
  readonly sectionRef: RefObject<HTMLElement | null>;
}

const PER_PAGE = 50;

const COLUMNS: readonly (readonly [SortColumn, string])[] = [
  ["what", "What repeated"],
  ["agent", "Agent and project"],
  ["when", "When"],
  ["times", "Times"],
  ["guard", "Guard"],
  ["spent", "Spent after"],
];

/** Every loop in one line, to search, narrow down and sort. A page at a time, so that many loops stay quick. */
export function LoopTable({ rows, view, onView, sectionRef }: LoopTableProps) {
  const { filter, sort } = view;
  const found = useMemo(() => filterLoops(rows, filter), [rows, filter]);
  const sorted = useMemo(() => sortLoops(found, sort), [found, sort]);
  const pages = Math.max(1, Math.ceil(sorted.length / PER_PAGE));
  const page = Math.min(view.page, pages - 1);
  const shown = sorted.slice(page * PER_PAGE, (page + 1) * PER_PAGE);

  return (
    <section class="panel table-panel" aria-labelledby="loops" ref={sectionRef}>
      <div class="panel-head">
        <h2 id="loops" tabIndex={-1}>
          Loops
        </h2>
        <p class="note" role="status">
          {found.length === rows.length
            ? `all ${count(rows.length)}`
            : `${count(found.length)} of ${count(rows.length, "loop")}`}
        </p>
      </div>
      <LoopFilters rows={rows} view={view} onView={onView} columns={COLUMNS} />
      <table class="loops">
        <caption class="unseen">Loops, one per line. Select a heading to sort.</caption>
        <thead>
          <tr>
            {COLUMNS.map(([column, title]) => (
              <th key={column} scope="col" class={`column-${column}`} aria-sort={directionOf(sort, column)}>
                <button type="button" onClick={() => onView({ ...view, page: 0, sort: turn(sort, column) })}>
                  {title}
                  <span class="arrow" aria-hidden="true">
                    {sort.column === column ? (sort.isDescending ? "▼" : "▲") : ""}
                  </span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <LoopLine key={row.loop.id} row={row} />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p class="none">No loop matches. Remove a filter.</p>}
      {pages > 1 && <Pager page={page} pages={pages} onPage={(next) => onView({ ...view, page: next })} />}
    </section>
  );
}

function directionOf(sort: LoopSort, column: SortColumn): "ascending" | "descending" | "none" {
  if (sort.column !== column) return "none";
  return sort.isDescending ? "descending" : "ascending";
}

/** Names begin with A, figures with the largest; again turns it around. */
function turn(sort: LoopSort, column: SortColumn): LoopSort {
  if (sort.column === column) return { column, isDescending: !sort.isDescending };
  return { column, isDescending: column !== "what" && column !== "agent" };
}
