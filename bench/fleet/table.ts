/** A table in Markdown: the first column is text, the others are numbers. */
export function toTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map((_, at) => (at === 0 ? "---" : "--:"))), ...rows.map(line)].join("\n");
}

export function rounded(value: number, digits = 0): string {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
