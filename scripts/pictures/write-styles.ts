import type { Palette } from "./read-palette.ts";

/** `both` follows the reader's system, the others do not. */
export type Theme = "light" | "dark" | "both";

const FILLS: Readonly<Record<string, string>> = {
  ink: "ink",
  soft: "soft-ink",
  sunken: "sunken",
  failing: "stop",
  nudge: "nudge",
  block: "block",
  restart: "block",
  stop: "stop",
};

/** The styles of a picture. Colours are written out, not as variables: more programs than browsers show pictures. */
export function writeStyles(palette: Palette, theme: Theme, size: number, noteSize: number): string {
  const first = coloursIn(palette, theme === "dark" ? 1 : 0);
  const other = theme === "both" ? `@media (prefers-color-scheme: dark){\n${coloursIn(palette, 1)}}\n` : "";
  return (
    `text{font:${size}px ${palette.sans}}\n` +
    `.mono{font-family:${palette.mono}}\n` +
    `.note{font-size:${noteSize}px}\n` +
    ".bold,.letter,.sign,.title{font-weight:700}\n" +
    `.title{font-size:${size + 2}px}\n` +
    ".letter{font-size:15px;text-anchor:middle}\n" +
    ".sign{font-size:12px;text-anchor:middle}\n" +
    ".number{font-size:13px;text-anchor:end}\n" +
    ".end{text-anchor:end}\n" +
    ".small{font-size:13px}\n" +
    ".tile,.card{stroke-width:1}\n" +
    ".bracket{fill:none;stroke-width:3}\n" +
    `${first}${other}`
  );
}

function coloursIn({ light, dark, tiles }: Palette, index: 0 | 1): string {
  const names = index === 0 ? light : dark;
  const fills = Object.entries(FILLS).map(([name, colour]) => `.${name}{fill:${names[colour]}}`);
  const coloured = Object.entries(tiles).map(
    ([name, { fill, onFill }]) => `.${name}{fill:${fill[index]}}.on-${name}{fill:${onFill[index]}}`,
  );
  const edge = index === 0 ? "#000;stroke-opacity:.28" : "#fff;stroke-opacity:.26";
  return (
    `.card{fill:${names.panel};stroke:${names.line}}\n` +
    `.bracket{stroke:${names.loop}}\n` +
    `.tile{stroke:${edge}}\n` +
    `${fills.join("")}\n${coloured.join("\n")}\n`
  );
}
