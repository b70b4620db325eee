import { count, kindWords } from "../../scan/report/words.ts";
import type { ReportedRun } from "../../scan/report-builder.ts";
import type { LoopRecord } from "../../scan/run-record.ts";
import { printable } from "../../system/printable.ts";
import { type Column, layOut } from "../terminal/columns.ts";

const COLUMNS: readonly Column[] = [
  { heading: "session" },
  { heading: "run", minimum: 12, weight: 1.6, cut: "middle", isOptional: true },
  { heading: "calls", align: "right", isOptional: true },
  { heading: "first", align: "right" },
  { heading: "worst" },
  { heading: "loops" },
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
  const what = listOf(loops.map((loop) => loop.what));
  const cells = [id, run, count(calls), count(first), worst, numberOf(loops), kindsOf(loops), what];
  return cells.map((cell) => printable(cell.slice(0, MAX_NAME)));
}

/** How many loops there are, and how many possible ones: `2 + 1 possible`. A column of its own, which is never cut. */
function numberOf(loops: readonly LoopRecord[]): string {
  const possible = loops.filter(({ isPossible }) => isPossible).length;
  const sure = loops.length - possible;
  return [...(sure > 0 ? [count(sure)] : []), ...(possible > 0 ? [`${count(possible)} possible`] : [])].join(" + ");
}

/** The kinds of the loops, then those of possible loops, marked if there are both. */
function kindsOf(loops: readonly LoopRecord[]): string {
  const [sure, possible] = [false, true].map((wanted) =>
    listOf(
      loops
        .filter(({ isPossible }) => isPossible === wanted)
        .map(({ kind, areEqual }) => kindWords(kind, areEqual).name.toLowerCase()),
    ),
  );
  return sure === "" || possible === "" ? `${sure}${possible}` : `${sure}; possible: ${possible}`;
}

/** The distinct names, in order of first appearance. */
function listOf(names: readonly string[]): string {
  return [...new Set(names)].join(", ");
}
