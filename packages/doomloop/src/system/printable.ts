/**
 * Characters that are safe to print.
 *
 * This is an allow-list: control characters move the cursor, marks and joiners hide text, and right-to-left letters
 * reverse the line.
 */
const PLAIN = /[ -~\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u{ac00}-\u{d7a3}]/u;
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Mark}]/u;

/** Makes a foreign text safe for a terminal. Characters that are not printable become `\u{...}`. */
export function printable(text: string): string {
  let shown = "";
  for (const character of text) shown += isPrintable(character) ? character : escaped(character);
  return shown;
}

/** The width of a printable text in columns. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}

/** Shortens a printable text to at most `width` columns, with an ellipsis at its end or in its middle. */
export function cutToWidth(text: string, width: number, where: "end" | "middle" = "end"): string {
  if (columnsOf(text) <= width) return text;
  if (width < 1) return "";
  const characters = Array.from(text);
  const tailWidth = where === "end" ? 0 : Math.floor((width - 1) / 2);
  const tail = fitting(characters.toReversed(), tailWidth).reverse();
  return [...fitting(characters, width - 1 - tailWidth), "…", ...tail].join("");
}

/** The first characters that fit. */
function fitting(characters: readonly string[], width: number): string[] {
  let columns = 0;
  const end = characters.findIndex((character) => {
    columns += columnsOf(character);
    return columns > width;
  });
  return characters.slice(0, end);
}

function isPrintable(character: string): boolean {
  return (PLAIN.test(character) || WIDE.test(character)) && !HIDDEN.test(character);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
