import { useMemo } from "preact/hooks";
import { ACTION_ORDER, actionWords, kindWords } from "../../../doomloop/src/scan/report/words.ts";
import { printable } from "../format/printable.ts";
import { bucketName } from "../overview/bucket-name.ts";
import { Foreign } from "../page/foreign.tsx";
import type { LoopRow } from "../report/report-index.ts";
import type { SortColumn } from "./sort-loops.ts";
import { narrow, type TableView } from "./table-view.ts";

interface LoopFiltersProps {
  readonly rows: readonly LoopRow[];
  readonly view: TableView;
  readonly onView: (view: TableView) => void;
  readonly columns: readonly (readonly [SortColumn, string])[];
}

const ALL = "";
const MAX_OPTIONS = 500;
const MAX_LABEL = 60;

/** Search and filters of the table. */
export function LoopFilters({ rows, view, onView, columns }: LoopFiltersProps) {
  const { filter, sort } = view;
  const choices = useMemo(
    () => ({
      agent: distinct(rows.map(({ agent }) => agent)),
      project: distinct(rows.flatMap(({ project }) => project ?? [])),
      kind: distinct(rows.map(({ loop }) => loop.kind)),
    }),
    [rows],
  );
  const choose = (
    part: "agent" | "project" | "kind" | "action",
    title: string,
    options: readonly string[],
    words = (option: string) => option,
  ) => (
    <div class="choice">
      <label for={`filter-${part}`}>{title}</label>
      {/* Options are told apart by number: a foreign name may be empty or equal to ours. */}
      <select
        id={`filter-${part}`}
        value={String(options.indexOf(filter[part] ?? ALL))}
        onChange={(event) => onView(narrow(view, { [part]: options[Number(event.currentTarget.value)] }))}
      >
        <option value="-1">All</option>
        {options.map((option, number) => (
          <option key={option} value={String(number)}>
            {printable(words(option).slice(0, MAX_LABEL))}
          </option>
        ))}
      </select>
    </div>
  );

  return (
    <div class="filters">
      <search class="choices">
        <div class="choice choice-search">
          <label for="filter-text">Search</label>
          <input
            id="filter-text"
            type="search"
            placeholder="a tool, a file, a project"
            value={filter.text ?? ""}
            onInput={(event) => onView(narrow(view, { text: event.currentTarget.value }))}
          />
        </div>
        {choose("agent", "Agent", choices.agent)}
        {choose("project", "Project", choices.project)}
        {choose("kind", "Kind", choices.kind, (kind) => kindWords(kind).name)}
        {choose("action", "Guard", ACTION_ORDER, (action) => `would have ${actionWords(action).done}`)}
        <div class="choice narrow">
          <label for="sort-by">Sort by</label>
          <select
            id="sort-by"
            value={sort.column}
            onChange={(event) => {
              const column = event.currentTarget.value as SortColumn;
              onView({ ...view, page: 0, sort: { column, isDescending: column !== "what" && column !== "agent" } });
            }}
          >
            {columns.map(([column, title]) => (
              <option key={column} value={column}>
                {title}
              </option>
            ))}
          </select>
        </div>
      </search>
      <ActiveFilters view={view} onView={onView} />
    </div>
  );
}

/** Filters that have no control of their own, and the way back to all loops. */
function ActiveFilters({ view, onView }: Pick<LoopFiltersProps, "view" | "onView">) {
  const { filter } = view;
  if (Object.keys(filter).length === 0) return null;
  return (
    <p class="active">
      {filter.span !== undefined && (
        <button type="button" class="quiet small" onClick={() => onView(narrow(view, { span: undefined }))}>
          {bucketName(filter.span.start, filter.span.end - filter.span.start > 2 * 86_400_000 ? "week" : "day", "long")}
          <span aria-hidden="true"> ✕</span>
          <span class="unseen">, remove this filter</span>
        </button>
      )}
      {filter.tool !== undefined && (
        <button type="button" class="quiet small" onClick={() => onView(narrow(view, { tool: undefined }))}>
          Tool <Foreign text={filter.tool} />
          <span aria-hidden="true"> ✕</span>
          <span class="unseen">, remove this filter</span>
        </button>
      )}
      {filter.project === null && (
        <button type="button" class="quiet small" onClick={() => onView(narrow(view, { project: undefined }))}>
          No project recorded<span aria-hidden="true"> ✕</span>
          <span class="unseen">, remove this filter</span>
        </button>
      )}
      <button type="button" class="quiet small" onClick={() => onView({ ...view, filter: {}, page: 0 })}>
        Show all loops
      </button>
    </p>
  );
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort((one, other) => one.localeCompare(other, "en")).slice(0, MAX_OPTIONS);
}
