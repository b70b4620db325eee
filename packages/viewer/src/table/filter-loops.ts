import { toolKey } from "../../../doomloop/src/scan/report/words.ts";
import type { LoopRow } from "../report/report-index.ts";

/** What the table is narrowed down to; a field that is missing lets everything through. */
export interface LoopFilter {
  readonly text?: string;
  readonly agent?: string;
  /** Null: loops without a project. */
  readonly project?: string | null;
  /** In any spelling. */
  readonly tool?: string;
  readonly kind?: string;
  readonly action?: string;
  readonly span?: { readonly start: number; readonly end: number };
}

/** The loops that pass every part of a filter. Words of the text may stand anywhere, in any order. */
export function filterLoops(rows: readonly LoopRow[], filter: LoopFilter): readonly LoopRow[] {
  const words = (filter.text ?? "")
    .toLowerCase()
    .split(/\s/)
    .filter((word) => word !== "");
  const { agent, project, tool, kind, action, span } = filter;
  return rows.filter(
    (row) =>
      (agent === undefined || row.agent === agent) &&
      (project === undefined || row.project === project) &&
      (tool === undefined || row.tools.some((name) => toolKey(name) === toolKey(tool))) &&
      (kind === undefined || row.loop.kind === kind) &&
      (action === undefined || row.loop.decisions.some((decision) => decision.action === action)) &&
      (span === undefined || (row.time !== null && row.time >= span.start && row.time < span.end)) &&
      words.every((word) => row.words.includes(word)),
  );
}
