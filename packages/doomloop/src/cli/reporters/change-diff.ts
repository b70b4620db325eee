import { unifiedDiff } from "../../agents/settings/unified-diff.ts";
import { printable } from "../../system/printable.ts";
import type { Style } from "../terminal/style.ts";

/**
 * The planned change of a file, in the format of `diff -u`, for a terminal. Texts that were there and stay are hidden, but for their
 * names: settings hold keys and addresses, and people show this to others.
 */
export function changeDiff(
  name: string,
  before: Buffer | undefined,
  after: Buffer | undefined,
  style: Style,
): readonly string[] {
  const [old, next] = [textOf(before), textOf(after)];
  const hidden = staying(old, next);
  const lines = unifiedDiff(old, next).map((line) => withoutValues(line, hidden));
  const shown = printable(name);
  return [
    style.strong(`--- ${before === undefined ? "/dev/null" : shown}`),
    style.strong(`+++ ${after === undefined ? "/dev/null" : shown}`),
    ...lines.map((line) => coloured(line, style)),
  ];
}

/** The texts that occur as often before as after: they are not ours. */
function staying(before: string, after: string): ReadonlySet<string> {
  const [old, next] = [countsOf(before), countsOf(after)];
  return new Set([...old.keys()].filter((text) => old.get(text) === next.get(text)));
}

function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  replaceTexts(text, (found) => {
    counts.set(found, (counts.get(found) ?? 0) + 1);
    return found;
  });
  return counts;
}

/** A name is a text before a colon, and stays. */
function withoutValues(line: string, hidden: ReadonlySet<string>): string {
  return replaceTexts(line, (text, rest) => (rest.startsWith(":") || !hidden.has(text) ? text : '"..."'));
}

/** Replaces each text of some JSON. `rest` is what follows the text. */
function replaceTexts(json: string, replace: (text: string, rest: string) => string): string {
  let replaced = "";
  let from = 0;
  for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', from)) {
    let end = start + 1;
    while (end < json.length && json[end] !== '"') end += json[end] === "\\" ? 2 : 1;
    if (end >= json.length) break;
    const rest = json.slice(end + 1, end + 9).trimStart();
    replaced += json.slice(from, start) + replace(json.slice(start, end + 1), rest);
    from = end + 1;
  }
  return replaced + json.slice(from);
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
