import type { LoopFilter } from "./filter-loops.ts";
import { isSortColumn, type LoopSort } from "./sort-loops.ts";
import { FIRST_VIEW, type TableView } from "./table-view.ts";

const MAX_LENGTH = 1_000;
const SORT = /^([a-z]{1,10})-(up|down)$/;
const NUMBER = /^\d{1,15}$/;

/** Reads a view from the query of an address. Anybody may have written it: what makes no sense is left out. */
export function parseView(query: string): TableView {
  const parts = new URLSearchParams(query);
  const page = numberOf(parts.get("page"));
  return {
    filter: filterOf(parts),
    sort: sortOf(parts.get("sort") ?? ""),
    page: page === undefined ? 0 : Math.max(0, page - 1),
  };
}

function filterOf(parts: URLSearchParams): LoopFilter {
  const names = ["text", "agent", "project", "tool", "kind", "action"] as const;
  const given = names.flatMap((name) => {
    const value = parts.get(name);
    return value === null ? [] : [[name, value.slice(0, MAX_LENGTH)]];
  });
  const [start, end] = [numberOf(parts.get("from")), numberOf(parts.get("to"))];
  return {
    ...Object.fromEntries(given),
    ...(parts.get("without") === "project" && { project: null }),
    ...(start !== undefined && end !== undefined && { span: { start, end } }),
  };
}

function sortOf(text: string): LoopSort {
  const [, column = "", direction] = SORT.exec(text) ?? [];
  return isSortColumn(column) ? { column, isDescending: direction === "down" } : FIRST_VIEW.sort;
}

function numberOf(text: string | null): number | undefined {
  return text !== null && NUMBER.test(text) ? Number(text) : undefined;
}
