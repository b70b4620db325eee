const JOINERS = new Set(["\u200C", "\u200D"]);

/**
 * Foreign text with everything that is not seen made visible: what moves the cursor, turns the direction of writing or hides.
 *
 * Line feeds and tabs stay only where `isBlock`. Joiners stay, scripts and emoji need them.
 */
export function printable(text: string, isBlock = false): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => {
    if (JOINERS.has(character)) return character;
    if (character === "\n" || character === "\t") return isBlock ? character : " ";
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20
      ? String.fromCodePoint(0x2400 + code)
      : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}
