import type { LoopExpectation } from "../quality/everyday/expectation.ts";
import { scoreLoop } from "../quality/everyday/score-loop.ts";
import { toTable } from "../quality/report/table.ts";
import { type ScoredWindow, tally } from "../quality/score-windows.ts";
import type { QuickRun } from "./quick-run.ts";

const PARTS = ["all", "tune", "aside"] as const;

/** Windows of one set of labels, each with its run. */
export interface WindowSet {
  readonly name: string;
  readonly windows: readonly { readonly run: QuickRun; readonly scored: ScoredWindow }[];
}

/** `innocent.jsonl` and `loops.jsonl` are set 1, `innocent-2.jsonl` is of set 2, `slow-8.jsonl` has the slow loops. */
export function setOf(source: string): string {
  const number = /-(\w+)$/.exec(source)?.[1] ?? "1";
  return source.startsWith("slow") ? `slow ${number}` : number;
}

/** Rows for each set and for all sets, whole and by halves. */
export function everydayTable(runs: readonly QuickRun[]): string[] {
  const sets = [...new Set(runs.map(({ source }) => setOf(source)))].sort();
  const rows = [...sets, "all"].flatMap((set) =>
    PARTS.flatMap((half) => {
      const own = runs.filter((run) => isIn(half, run.half) && isIn(set, setOf(run.source)));
      return own.length === 0 ? [] : [[set, half, ...honestCells(own), ...loopCells(own)]];
    }),
  );
  const head = ["honest", "told %", "refused %", "ended %", "loops", "in time %", "late %", "missed %", "early %"];
  return toTable(["everyday set", "half", ...head], rows, 2);
}

/** Slow loops are no part of all: hardly anybody finds them. */
function isIn(part: string, own: string): boolean {
  return part === own || (part === "all" && !own.startsWith("slow"));
}

function honestCells(runs: readonly QuickRun[]): string[] {
  const honest = runs.filter(({ expectation }) => expectation!.expect !== "spoken");
  const silent = honest.filter(({ expectation }) => expectation!.expect === "silent");
  return [
    `${honest.length}`,
    percent(silent, ({ words }) => words.length > 0),
    percent(honest, ({ isBlocked }) => isBlocked),
    percent(honest, ({ isStopped }) => isStopped),
  ];
}

function loopCells(runs: readonly QuickRun[]): string[] {
  const loops = runs.filter(({ expectation }) => expectation!.expect === "spoken");
  const scores = loops.map(({ expectation, words }) =>
    scoreLoop(
      expectation as LoopExpectation,
      words.map(({ call }) => call),
    ),
  );
  const verdicts = (["found", "late", "missed"] as const).map((name) =>
    percent(scores, ({ verdict }) => verdict === name),
  );
  return [`${loops.length}`, ...verdicts, percent(scores, ({ isEarly }) => isEarly)];
}

/** Rows for each set of windows, whole and by halves. */
export function windowsTable(sets: readonly WindowSet[]): string[] {
  const rows = sets.flatMap(({ name, windows }) =>
    PARTS.map((half) => {
      const own = windows.filter(({ run }) => isIn(half, run.half));
      const { precision, recall, f1, hits, misses, falseAlarms } = tally(own.map(({ scored }) => scored));
      const ratios = [precision, recall, f1].map((ratio) => ratio.toFixed(3));
      return [name, half, `${own.length}`, ...ratios, `${hits}`, `${misses}`, `${falseAlarms}`];
    }),
  );
  return toTable(["windows of", "half", "windows", "P", "R", "F1", "hits", "misses", "false alarms"], rows, 2);
}

/** A row for each group of runs in which every word is suspect. */
export function suspectTable(groups: Readonly<Record<string, readonly QuickRun[]>>): string[] {
  const rows = Object.entries(groups).map(([name, runs]) => {
    const counts = [
      runs.filter(({ words }) => words.length > 0),
      runs.filter(({ isBlocked }) => isBlocked),
      runs.filter(({ isStopped }) => isStopped),
    ].map(({ length }) => `${length} (${((100 * length) / Math.max(1, runs.length)).toFixed(1)}%)`);
    return [name, `${runs.length}`, ...counts];
  });
  return toTable(["runs", "number", "told", "refused", "ended"], rows);
}

function percent<Item>(items: readonly Item[], holds: (item: Item) => boolean): string {
  return items.length === 0 ? "" : ((100 * items.filter(holds).length) / items.length).toFixed(1);
}
