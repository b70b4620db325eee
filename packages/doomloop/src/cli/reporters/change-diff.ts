import { unifiedDiff } from "../../agents/settings/unified-diff.ts";
import { printable } from "../../system/printable.ts";
import type { Style } from "../terminal/style.ts";

/** The planned change of a file, in the format of `diff -u`, for a terminal. */
export function changeDiff(
  name: string,
  before: Buffer | undefined,
  after: Buffer | undefined,
  style: Style,
): readonly string[] {
  const lines = unifiedDiff(textOf(before), textOf(after));
  const shown = printable(name);
  return [
    style.strong(`--- ${before === undefined ? "/dev/null" : shown}`),
    style.strong(`+++ ${after === undefined ? "/dev/null" : shown}`),
    ...lines.map((line) => coloured(line, style)),
  ];
}

function coloured(line: string, style: Style): string {
  const text = line.split("\t").map(printable).join("\t");
  if (line.startsWith("+")) return style.good(text);
  if (line.startsWith("-")) return style.alarm(text);
  return line.startsWith("@@") ? style.dim(text) : text;
}

/** Some files end lines with CRLF. The carriage returns are not worth showing. */
function textOf(bytes: Buffer | undefined): string {
  return (bytes?.toString("utf8") ?? "").replaceAll("\r\n", "\n");
}
