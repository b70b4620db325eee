/**
 * Characters that are safe to print: letters, figures, punctuation and symbols, such as the marks of test runners.
 *
 * This is an allow-list: control characters move the cursor, marks and joiners hide text, and right-to-left letters
 * reverse the line.
 */
const PLAIN = /[ \p{L}\p{N}\p{P}\p{S}]/u;
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u{3001}-\u{303d}\u{ac00}-\u{d7a3}\u{ff01}-\u{ff60}]/u;
/** What cannot be seen: an empty pattern of Braille is a symbol. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Mark}\u{2800}]/u;
/** Blocks that are written from right to left. */
const REVERSED = /[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{feff}\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Asks for the coloured form of the symbol before it. */
const COLOURED = /(?<=\p{S})\u{fe0f}/gu;

/** Makes a foreign text safe for a terminal. Tabs become spaces, other characters that are not printable `\u{...}`. */
export function printable(text: string): string {
  let shown = "";
  // No width is known here up to the next stop of a tab.
  for (const character of text.replaceAll(COLOURED, "").replaceAll("\t", "  ")) {
    const isPrintable = PLAIN.test(character) && !HIDDEN.test(character) && !REVERSED.test(character);
    shown += isPrintable ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`;
  }
  return shown;
}

/** The width of a printable text in columns. */
export function columnsOf(text: string): number {
  return Array.from(text).reduce((columns, character) => columns + (WIDE.test(character) ? 2 : 1), 0);
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
