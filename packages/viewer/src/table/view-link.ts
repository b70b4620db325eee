import type { LoopFilter } from "./filter-loops.ts";
import { FIRST_VIEW, type TableView } from "./table-view.ts";

/** The address of the overview with the table as the reader has made it: it can be shared, and survives a reload. */
export function viewLink({ filter, sort, page }: TableView): string {
  const query = new URLSearchParams();
  for (const part of ["text", "agent", "tool", "kind", "action"] as const) {
    const value = filter[part];
    if (value !== undefined) query.set(part, value);
  }
  for (const [name, value] of otherParts(filter)) query.set(name, value);
  if (sort.column !== FIRST_VIEW.sort.column || sort.isDescending !== FIRST_VIEW.sort.isDescending) {
    query.set("sort", `${sort.column}-${sort.isDescending ? "down" : "up"}`);
  }
  if (page > 0) query.set("page", String(page + 1));
  return query.size === 0 ? "#/" : `#/?${query}`;
}

/** No project is not the project without a name. */
function otherParts({ project, span }: LoopFilter): [string, string][] {
  const parts: [string, string][] = [];
  if (project === null) parts.push(["without", "project"]);
  else if (project !== undefined) parts.push(["project", project]);
  if (span !== undefined) parts.push(["from", String(span.start)], ["to", String(span.end)]);
  return parts;
}
