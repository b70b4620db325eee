/**
 * The lines between `// #region name` and `// #endregion name`, without the indentation that they share and without the marks of
 * regions inside; without a name, the whole text.
 */
export function readRegion(text: string, name?: string): string {
  const lines = text.trimEnd().split("\n");
  if (name === undefined) return withoutMarks(lines);
  const begin = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const end = lines.findIndex((line) => line.trim() === `// #endregion ${name}`);
  if (begin < 0 || end < begin) throw new Error(`there is no region ${name}`);
  return withoutMarks(lines.slice(begin + 1, end));
}

function withoutMarks(lines: readonly string[]): string {
  const kept = lines.filter((line) => !/^\s*\/\/ #(?:end)?region\b/.test(line));
  const indents = kept.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...indents);
  return `${kept
    .map((line) => line.slice(shared))
    .join("\n")
    .replaceAll(/^\n+|\n+$/g, "")}\n`;
}
