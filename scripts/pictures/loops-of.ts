import type { Finding } from "../../packages/doomloop/src/index.ts";
import type { LoopSummary } from "../../packages/doomloop/src/scan/report/report.ts";
import type { Row } from "./play-run.ts";

/** A loop of a run, as a report has it; its calls are places among the rows, from 0. */
export interface DrawnLoop extends LoopSummary {
  /** The rows of the calls that show it. */
  readonly rows: ReadonlySet<Row>;
}

/** The loops that the guard speaks of in a run, each once. */
export function loopsOf(rows: readonly Row[]): readonly DrawnLoop[] {
  const loops = new Map<string, DrawnLoop>();
  for (const [place, row] of rows.entries()) {
    if (!("said" in row)) continue;
    for (const { action, finding } of row.said) {
      if (finding === undefined || action === "continue") continue;
      const known = loops.get(finding.loop);
      const onset = Math.min(known?.onset ?? place, onsetOf(finding, rows, place));
      const decisions = [...(known?.decisions ?? []), { call: place, action }];
      const shown = rows.filter((step) => step.type === "call" && finding.steps.includes(step.call - 1));
      const all = new Set([...(known?.rows ?? []), ...shown]);
      loops.set(finding.loop, { ...summaryOf(finding, { onset, end: place, decisions }), rows: all });
    }
  }
  return [...loops.values()];
}

type Place = Pick<LoopSummary, "onset" | "end" | "decisions">;

function summaryOf({ loop, kind, tools, count, confidence }: Finding, place: Place): LoopSummary {
  return {
    id: loop,
    session: "",
    kind,
    tools,
    what: tools.join(", "),
    count,
    period: null,
    confidence,
    ...place,
    decided: place.decisions.length,
    uncounted: [],
    at: null,
    afterOnset: { calls: 0, tokens: null, costUsd: null },
  };
}

/** The place of the first step that shows a loop; of words, which are no steps, of the first in the row. */
function onsetOf({ steps, kind, count }: Finding, rows: readonly Row[], place: number): number {
  if (steps.length > 0) return rows.findIndex((row) => row.type === "call" && steps.includes(row.call - 1));
  if (kind === "text-only") return place - count + 1;
  return rows.slice(0, place + 1).findLastIndex((row) => !("said" in row) || row.same !== sameOf(rows[place]!)) + 1;
}

function sameOf(row: Row): string | undefined {
  return "same" in row ? row.same : undefined;
}
