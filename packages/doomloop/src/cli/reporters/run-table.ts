import { count, kindWords } from "../../scan/report/words.ts";
import type { ReportedRun } from "../../scan/report-builder.ts";
import type { LoopRecord } from "../../scan/run-record.ts";
import { printable } from "../../system/printable.ts";
import { type Column, layOut } from "../terminal/columns.ts";

const COLUMNS: readonly Column[] = [
  { heading: "session" },
  { heading: "run", minimum: 12, weight: 1.6, cut: "middle" },
  { heading: "calls", align: "right" },
  { heading: "first", align: "right" },
  { heading: "worst" },
  { heading: "kinds", minimum: 14, isOptional: true },
  { heading: "what repeated", minimum: 12, isOptional: true },
];
const MAX_NAME = 300;
const ACTIONS_MILDEST_FIRST = ["continue", "nudge", "block", "restart", "stop"];

/**
 * One line for each run with a loop or a possible loop: the call at which the guard would first have stepped in, and its strongest action.
 */
export function runTable(runs: readonly ReportedRun[], width: number): string {
  const rows = runs.filter(({ record }) => record.loops.length > 0).map(rowOf);
  if (rows.length === 0) return "";
  const write = layOut(COLUMNS, rows, width);
  return `${[COLUMNS.map(({ heading }) => heading), ...rows].map(write).join("\n")}\n\n`;
}

function rowOf({ id, record: { run, calls, loops } }: ReportedRun): string[] {
  const decisions = loops.flatMap((loop) => loop.decisions);
  const first = Math.min(...decisions.map(({ call }) => call)) + 1;
  const worst =
    ACTIONS_MILDEST_FIRST[Math.max(...decisions.map(({ action }) => ACTIONS_MILDEST_FIRST.indexOf(action)))]!;
  const kinds = listOf(loops.map(kindOf));
  const what = listOf(loops.map((loop) => loop.what));
  return [id, run, count(calls), count(first), worst, kinds, what].map((cell) => printable(cell.slice(0, MAX_NAME)));
}

function kindOf({ kind, areEqual, isPossible }: LoopRecord): string {
  const name = kindWords(kind, areEqual).name.toLowerCase();
  return isPossible ? `${name} (possible)` : name;
}

/** The distinct names, in order of first appearance. */
function listOf(names: readonly string[]): string {
  return [...new Set(names)].join(", ");
}
