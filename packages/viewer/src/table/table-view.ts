import type { LoopFilter } from "./filter-loops.ts";
import type { LoopSort } from "./sort-loops.ts";

/** What the reader has made of the table. Kept while a run is looked at. */
export interface TableView {
  readonly filter: LoopFilter;
  readonly sort: LoopSort;
  /** From 0. */
  readonly page: number;
}

export const FIRST_VIEW: TableView = { filter: {}, sort: { column: "spent", isDescending: true }, page: 0 };

/** A view with a filter changed: undefined takes a part away. The table begins at its first page again. */
export function narrow(
  view: TableView,
  change: { readonly [Part in keyof LoopFilter]: LoopFilter[Part] | undefined },
): TableView {
  const parts = Object.entries({ ...view.filter, ...change }).filter(
    ([, value]) => value !== undefined && value !== "",
  );
  return { ...view, filter: Object.fromEntries(parts), page: 0 };
}
