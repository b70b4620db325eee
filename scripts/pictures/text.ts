import { printable } from "../../packages/viewer/src/format/printable.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** Widths in ems, as in DejaVu Sans, the widest of the common fonts: nobody knows which one a reader has. */
const MONO = 0.61;
const NARROW = /[ijlftrI.,:;'’|!()[\] -]/;
const WIDE = /[mwMW…—▲■✕○]/;
const CAPITAL = /[A-Z0-9_]/;

/** Foreign text for an SVG: nothing in it is markup, nothing in it is invisible. */
export function escapeText(text: string): string {
  return printable(text.toWellFormed()).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** How wide a text may become, in pixels. */
export function widthOf(text: string, size: number, isMono = false): number {
  let ems = 0;
  for (const character of printable(text)) ems += isMono && character <= "\u2fff" ? MONO : emsOf(character);
  return ems * size;
}

/** A text, cut visibly where it is too long. */
export function cutText(text: string, width: number, size: number): string {
  const room = width - widthOf("…", size);
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += widthOf(character, size);
    if (used > width) return `${text.slice(0, end).trimEnd()}…`;
    if (used <= room) end += character.length;
  }
  return text;
}

/** A text in letters of one width, cut visibly in its middle where it is too long: how it ends may be all that differs. */
export function cutMiddle(text: string, width: number, size: number): string {
  const most = Math.max(1, Math.floor(width / (MONO * size)));
  const characters = [...printable(text)];
  if (characters.length <= most) return characters.join("");
  const head = Math.ceil((most - 1) * 0.55);
  const tail = most - 1 - head;
  return `${characters.slice(0, head).join("").trimEnd()}…${characters
    .slice(characters.length - tail)
    .join("")
    .trimStart()}`;
}

/** A text in lines, broken between words. What does not fit into `most` lines is cut visibly. */
export function wrapText(
  text: string,
  width: number,
  size: number,
  most = Number.POSITIVE_INFINITY,
): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/[ \n\t]+/)) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length > 0 && widthOf(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(cutText(word, width, size));
  }
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), cutText(`${lines[most - 1]!} …`, width, size)];
}

function emsOf(character: string): number {
  if (character > "\u2fff") return 1.1;
  if (NARROW.test(character)) return 0.38;
  if (WIDE.test(character)) return 0.96;
  return CAPITAL.test(character) ? 0.68 : 0.585;
}
