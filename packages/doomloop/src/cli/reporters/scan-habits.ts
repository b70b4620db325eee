import { comparedFigures, habitFacts } from "../../scan/report/habit-words.ts";
import type { Report } from "../../scan/report/report.ts";
import { printable } from "../../system/printable.ts";
import { type Column, layOut, wrapText } from "../terminal/columns.ts";
import type { Style } from "../terminal/style.ts";
import { workFacts } from "./scan-work.ts";

interface HabitLook {
  readonly width: number;
  readonly style: Style;
}

const INDENT = "  ";

/** What sessions did apart from loops. Empty if there is nothing to say. Escapes all foreign text. */
export function habitLines(report: Report, { width, style }: HabitLook): string {
  const facts = [...workFacts(report), ...habitFacts(report)];
  if (facts.length === 0) return "";
  const room = Math.max(...facts.map(({ name }) => name.length)) + 2;
  const indent = `${INDENT}${" ".repeat(room)}`;
  const lines = facts.flatMap(({ name, lines: told }) =>
    told.map((line, at) => {
      const text = wrapText(printable(line), Math.max(20, width - indent.length)).replaceAll("\n", `\n${indent}  `);
      return `${INDENT}${(at === 0 ? name : "").padEnd(room)}${text}`;
    }),
  );
  return [style.strong("What else stood out"), ...lines].join("\n");
}

const COLUMNS: readonly Column[] = [
  { heading: "", minimum: 12 },
  { heading: "now", align: "right" },
  { heading: "before", align: "right" },
];

/** The figures beside those of the time before. Empty if the scan did not compare. */
export function comparisonLines(report: Report, { width, style }: HabitLook): string {
  const { compared } = report;
  if (compared === null) return "";
  const rows = comparedFigures(report).map(({ name, now, before }) => [name, now, before]);
  const write = layOut(COLUMNS, rows, width - INDENT.length);
  return [
    style.strong(`Compared with ${compared.since.slice(0, 10)} to ${compared.until.slice(0, 10)}`),
    style.dim(`${INDENT}${write(COLUMNS.map(({ heading }) => heading))}`),
    ...rows.map((row) => `${INDENT}${write(row)}`),
  ].join("\n");
}
