import { comparedFigures, repeatInWords } from "../../scan/report/repeat-words.ts";
import type { Report } from "../../scan/report/report.ts";
import { printable } from "../../system/printable.ts";
import { type Column, layOut, wrapText } from "../terminal/columns.ts";
import type { Style } from "../terminal/style.ts";

interface Look {
  readonly width: number;
  readonly style: Style;
}

const INDENT = "  ";

/** What was repeated most, and why it is no loop. Empty if nothing was. Escapes all foreign text. */
export function repeatLines({ repeated }: Report, { width, style }: Look): string {
  if (repeated.length === 0) return "";
  const lines = repeated.map((call) => {
    const { what, why } = repeatInWords(call);
    const indent = `${INDENT}${INDENT}`;
    return `${INDENT}${wrapText(printable(what), width - INDENT.length, indent)}\n${indent}${wrapText(printable(why), width - indent.length, indent)}`;
  });
  return [style.strong("Repeated most, and why it is no loop"), ...lines].join("\n");
}

const COLUMNS: readonly Column[] = [
  { heading: "", minimum: 12 },
  { heading: "now", align: "right" },
  { heading: "before", align: "right" },
];

/** The figures beside those of the time before. Empty if the scan did not compare. */
export function comparisonLines(report: Report, { width, style }: Look): string {
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
