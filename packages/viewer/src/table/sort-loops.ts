import { rankBySpending } from "../../../doomloop/src/scan/report/amounts.ts";
import { ACTION_ORDER } from "../../../doomloop/src/scan/report/words.ts";
import type { LoopRow } from "../report/report-index.ts";

export type SortColumn = "what" | "agent" | "when" | "times" | "guard" | "spent";

export interface LoopSort {
  readonly column: SortColumn;
  readonly isDescending: boolean;
}

const COLUMNS: readonly string[] = ["what", "agent", "when", "times", "guard", "spent"] satisfies SortColumn[];

/** Whether a word names a column. */
export function isSortColumn(word: string): word is SortColumn {
  return COLUMNS.includes(word);
}

const texts = new Intl.Collator("en", { numeric: true });

const COMPARE: { readonly [Column in Exclude<SortColumn, "spent">]: (one: LoopRow, other: LoopRow) => number } = {
  what: (one, other) => texts.compare(one.loop.what, other.loop.what),
  agent: (one, other) => texts.compare(one.agent, other.agent) || texts.compare(one.project ?? "", other.project ?? ""),
  when: (one, other) => (one.time ?? 0) - (other.time ?? 0),
  times: (one, other) => one.loop.count - other.loop.count,
  guard: (one, other) => strength(one) - strength(other),
};

/** The loops in the order of a column. Equal ones keep their order. */
export function sortLoops(rows: readonly LoopRow[], { column, isDescending }: LoopSort): readonly LoopRow[] {
  const compare = column === "spent" ? bySpending(rows) : COMPARE[column];
  return rows.toSorted(isDescending ? (one, other) => compare(other, one) : compare);
}

function bySpending(rows: readonly LoopRow[]): (one: LoopRow, other: LoopRow) => number {
  const rank = rankBySpending(rows.map(({ loop }) => loop));
  return (one, other) => rank(one.loop) - rank(other.loop) || one.loop.afterOnset.calls - other.loop.afterOnset.calls;
}

function strength({ action }: LoopRow): number {
  return action === null ? -1 : ACTION_ORDER.indexOf(action);
}
