import { stripVTControlCharacters } from "node:util";
import { columnsOf } from "../../system/printable.ts";

/** Breaks a text at spaces, so that no line is wider; later lines begin with the indent. A word that is too wide stays whole. */
export function wrapText(text: string, width: number, indent = ""): string {
  return wrap(text.split(" "), width, indent);
}

/** Puts items into lines with commas between them; an item is not broken. */
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

/** Columns of a text that may be styled. */
function visible(text: string): number {
  return columnsOf(stripVTControlCharacters(text));
}
