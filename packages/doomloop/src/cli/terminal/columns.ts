import { stripVTControlCharacters } from "node:util";
import { columnsOf, cutToWidth } from "../../system/printable.ts";

/** A column of a table. */
export interface Column {
  readonly heading: string;
  /** @default "left" */
  readonly align?: "left" | "right";
  /** The column may be cut down to this width. If undefined, it is never cut. */
  readonly minimum?: number;
  /**
   * The share of the width that the column gets if there is too little room.
   * @default 1
   */
  readonly weight?: number;
  /**
   * Where a cell is cut. Use `middle` for names that begin alike and differ at their ends.
   * @default "end"
   */
  readonly cut?: "end" | "middle";
  /** Whether the column may be left out if there is no room. The last one of them goes first. */
  readonly isOptional?: boolean;
}

const GAP = "  ";

/** Finds column widths for the rows, and returns a function that formats a row. Cells must be printable. */
export function layOut(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): (cells: readonly string[]) => string {
  const natural = columns.map(({ heading }, at) => Math.max(heading.length, ...rows.map((row) => columnsOf(row[at]!))));
  const all = columns.map((column, at) => ({ ...column, at, natural: natural[at]! }));
  const fitting = fitted(all, width);
  return (cells) => {
    const written = fitting.map(({ column, width: columnWidth }) => align(cells[column.at]!, columnWidth, column));
    return written.join(GAP).trimEnd();
  };
}

interface PlacedColumn extends Column {
  /** Its place among the cells of a row. */
  readonly at: number;
  readonly natural: number;
}

/**
 * Narrows the widest column, relative to its weight, until all columns fit. If no column can be narrowed, it drops the
 * last optional column.
 */
function fitted(columns: readonly PlacedColumn[], width: number) {
  const widths = columns.map(({ natural }) => natural);
  const lowest = widths.map((own, at) => Math.min(own, columns[at]!.minimum ?? own));
  const shareOf = (at: number): number => widths[at]! / (columns[at]!.weight ?? 1);
  while (totalOf(widths) > width) {
    let widest = -1;
    for (let at = 0; at < widths.length; at++) {
      if (widths[at]! > lowest[at]! && (widest < 0 || shareOf(at) > shareOf(widest))) widest = at;
    }
    if (widest >= 0) {
      widths[widest]!--;
      continue;
    }
    const dropped = columns.findLastIndex(({ isOptional }) => isOptional === true);
    if (dropped === -1) break;
    return fitted(columns.toSpliced(dropped, 1), width);
  }
  return columns.map((column, at) => ({ column, width: widths[at]! }));
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, (widths.length - 1) * GAP.length);
}

function align(cell: string, width: number, column: Column): string {
  const cut = column.minimum === undefined ? cell : cutToWidth(cell, width, column.cut);
  const padding = " ".repeat(Math.max(0, width - columnsOf(cut)));
  return column.align === "right" ? padding + cut : cut + padding;
}

/** Wraps a text at spaces. Lines after the first start with the indent. A word that is too wide stays whole. */
export function wrapText(text: string, width: number, indent = ""): string {
  return wrap(text.split(" "), width, indent);
}

/**
 * Wraps lines that are too wide, and keeps their indents. For messages on a terminal: without a width, lines stay whole.
 */
export function wrapLines(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split("\n")
    .map((line) => {
      if (visible(line) <= width) return line;
      const indent = /^ */.exec(line)![0];
      return `${indent}${wrapText(line.slice(indent.length), width - indent.length).replaceAll("\n", `\n${indent}`)}`;
    })
    .join("\n");
}

/** Wraps a comma-separated list. Items stay whole. */
export function wrapList(items: readonly string[], width: number, indent = ""): string {
  return wrap(
    items.map((item, at) => (at < items.length - 1 ? `${item},` : item)),
    width,
    indent,
  );
}

function wrap(pieces: readonly string[], width: number, indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const piece of pieces) {
    if (line !== "" && visible(line) + 1 + visible(piece) > width) {
      lines.push(line);
      line = `${indent}${piece}`;
    } else line = line === "" ? piece : `${line} ${piece}`;
  }
  return [...lines, line].join("\n");
}

/** The width of a text, without its styles. */
function visible(text: string): number {
  return columnsOf(stripVTControlCharacters(text));
}
