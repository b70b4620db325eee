import { printable } from "../../packages/viewer/src/format/printable.ts";

interface Piece {
  readonly text: string;
  readonly style: string;
}

const SIZE = 14;
/** The widest of the fonts that readers have. */
const CHARACTER = 0.61 * SIZE;
const [EDGE, TOP, HEIGHT] = [18, 44, 21];
const SECONDS_TO_TYPE = 0.4;
const SECONDS_A_LINE = 0.05;
/** Select Graphic Rendition: what a program's output uses of it. */
const STYLES: Readonly<Record<string, string>> = {
  1: "bold",
  2: "dim",
  31: "red",
  32: "green",
  33: "yellow",
  36: "cyan",
};
const COLOURS = {
  bold: "fill:#ffffff;font-weight:700",
  dim: "fill:#9aa1a8",
  red: "fill:#ff7386",
  green: "fill:#7fcab9",
  yellow: "fill:#f2b84b",
  cyan: "fill:#6cc7e6",
};

/** Draws a command and what a terminal shows after it, as an SVG in which the lines appear one after the other. */
export function drawTerminal(command: string, output: string, columns: number): string {
  const lines = linesOf(output.trimEnd());
  const width = Math.ceil(columns * CHARACTER + 2 * EDGE);
  const height = TOP + (lines.length + 2) * HEIGHT;
  const at = (row: number): string => `x="${EDGE}" y="${TOP + row * HEIGHT}"`;
  const rows = lines.map((pieces, row) => {
    const delay = (SECONDS_TO_TYPE + 0.1 + row * SECONDS_A_LINE).toFixed(2);
    const text = pieces.map(({ text, style }) => `<tspan class="${style}">${escapeText(text)}</tspan>`).join("");
    return `<text xml:space="preserve" class="line" style="animation-delay:${delay}s" ${at(row + 1.5)}>${text}</text>\n`;
  });
  const styles = Object.entries(COLOURS).map(([name, style]) => `.${name}{${style}}\n`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="A terminal: ${escapeText(command)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n` +
    `<style>\ntext{font:${SIZE}px ui-monospace,"SF Mono","Cascadia Code","DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#e9eaeb}\n${styles.join("")}` +
    `@keyframes appear{from{opacity:0}}\n.line{animation:appear 0.2s backwards}\n` +
    `@keyframes type{from{clip-path:inset(0 100% 0 0)}}\n.typed{animation:type ${SECONDS_TO_TYPE}s steps(${command.length})}\n` +
    "@media (prefers-reduced-motion: reduce){.line,.typed{animation:none}}\n</style>\n" +
    `<rect width="${width}" height="${height}" rx="10" fill="#1b1e21" stroke="#8888"/>\n` +
    ["#ff7386", "#f2b84b", "#7fcab9"]
      .map((fill, dot) => `<circle cx="${22 + dot * 18}" cy="18" r="5" fill="${fill}"/>`)
      .join("") +
    `\n<text xml:space="preserve" class="typed" ${at(0.4)}><tspan class="green">$</tspan> <tspan class="bold">${escapeText(command)}</tspan></text>\n` +
    `${rows.join("")}</svg>\n`
  );
}

const ESCAPE = "\u001b";

/** A text in lines, and each line in pieces of one style. A style lasts until another comes, beyond the end of its line. */
function linesOf(text: string): readonly (readonly Piece[])[] {
  let styles: readonly string[] = [];
  return text.split("\n").map((line) => {
    const [first = "", ...others] = line.split(ESCAPE);
    const begin: Piece = { text: first, style: styles.join(" ") };
    const pieces = others.map((part): Piece => {
      const [all = "", codes = ""] = /^\[([\d;]*)m/.exec(part) ?? [];
      for (const code of codes.split(";")) {
        const style = STYLES[code];
        styles = style === undefined ? [] : [...styles.filter((one) => one !== style), style];
      }
      return { text: part.slice(all.length), style: styles.join(" ") };
    });
    return [begin, ...pieces].filter((piece) => piece.text !== "");
  });
}

function escapeText(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
