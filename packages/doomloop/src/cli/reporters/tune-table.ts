import type { LoopSummary } from "../scan/report.ts";
import { type Column, layOut } from "../terminal/columns.ts";
import { printable } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { fitOf, type Outcome } from "../tune/compare-settings.ts";
import type { Mark } from "../tune/marks.ts";

export interface TuneTableOptions {
  readonly width: number;
  readonly style: Style;
}

const SETTINGS: readonly Column[] = [
  { heading: "setting", minimum: 16 },
  { heading: "sessions", align: "right" },
  { heading: "loops", align: "right" },
  { heading: "right", align: "right" },
  { heading: "wrong", align: "right" },
];
/** The columns about marks come last, and say nothing without marks. */
const WITHOUT_MARKS = 3;
const FINDINGS: readonly Column[] = [
  { heading: "id" },
  { heading: "kind", minimum: 8 },
  { heading: "what repeated", minimum: 12, cut: "middle", weight: 2 },
  { heading: "times", align: "right" },
  { heading: "calls", align: "right" },
];
const MAX_TEXT = 200;

/** Settings beside each other: sessions with loops, loops, and how many findings that are marked. Changes that change nothing are left out. */
export function settingsTable(outcomes: readonly Outcome[], marks: readonly Mark[], options: TuneTableOptions): string {
  const [now] = outcomes;
  const telling = outcomes.filter((outcome) => outcome.setting.kind === undefined || !findsTheSame(outcome, now!));
  const rows = telling.map((outcome) => {
    const { right, wrong } = fitOf(outcome, marks);
    return [
      outcome.setting.name,
      outcome.sessionsWithLoops.toLocaleString("en-US"),
      outcome.loops.length.toLocaleString("en-US"),
      String(right),
      String(wrong),
    ];
  });
  const columns = marks.length === 0 ? WITHOUT_MARKS : SETTINGS.length;
  return table(
    SETTINGS.slice(0, columns),
    rows.map((row) => row.slice(0, columns)),
    options,
  );
}

/** Findings, each with the id by which it can be marked. */
export function findingsTable(loops: readonly LoopSummary[], options: TuneTableOptions): string {
  const rows = loops.map(({ id, kind, what, count, onset, end }) => [
    id,
    printable(kind),
    printable(what.slice(0, MAX_TEXT)),
    `${count}x`,
    `${onset} to ${end}`,
  ]);
  return table(FINDINGS, rows, options);
}

function findsTheSame(one: Outcome, other: Outcome): boolean {
  const ids = ({ loops }: Outcome): string =>
    loops
      .map(({ id }) => id)
      .sort()
      .join();
  return ids(one) === ids(other);
}

function table(columns: readonly Column[], rows: readonly string[][], { width, style }: TuneTableOptions): string {
  const write = layOut(columns, rows, width);
  return `${[style.dim(write(columns.map(({ heading }) => heading))), ...rows.map(write)].join("\n")}\n`;
}
