const MIN_WIDTH = 3;

/** A Markdown table that can be read as it is: cells are padded. The first columns hold words, the others numbers. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[], wordColumns = 1): string[] {
  const widths = head.map((cell, at) => Math.max(MIN_WIDTH, cell.length, ...rows.map((row) => row[at]!.length)));
  const padded = (cell: string, at: number): string =>
    at < wordColumns ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!);
  const line = (cells: readonly string[]): string => `| ${cells.map(padded).join(" | ")} |`;
  const rule = widths.map((width, at) => `${"-".repeat(width + 1)}${at < wordColumns ? "-" : ":"}`);
  return [line(head), `|${rule.join("|")}|`, ...rows.map(line)];
}
