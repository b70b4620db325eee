import { count } from "../../packages/doomloop/src/scan/report/words.ts";
import { drawLines, type Piece } from "./draw-note.ts";
import { drawRow } from "./draw-row.ts";
import { EDGE, type Frame, TILE_AT } from "./frame.ts";
import { type Letter, type Lettering, letterRows } from "./letter-rows.ts";
import { type DrawnLoop, loopsOf } from "./loops-of.ts";
import type { PlayedRun, Row } from "./play-run.ts";
import type { Palette } from "./read-palette.ts";
import { outcomeWords, runInWords, uncountedWords } from "./row-words.ts";
import { cutText, escapeText, wrapText } from "./text.ts";
import { type Theme, writeStyles } from "./write-styles.ts";

export interface StripOptions {
  readonly title: string;
  readonly palette: Palette;
  readonly frame: Frame;
  readonly theme: Theme;
  /** Lines of its message that are shown where the guard speaks for the first time; of later ones, the first line. */
  readonly lines: number;
  /** Small print at the end. */
  readonly caption?: string;
}

/** Bold is so much wider. */
const BOLD = 1.15;
const HEAD = 52;
const MINI = 20;
const LEAST_FOLDED = 3;

/** Draws a run that was played as an SVG. The same run gives the same bytes. */
export function drawStrip(run: PlayedRun, options: StripOptions): string {
  const { title, palette, frame, theme, caption } = options;
  const loops = loopsOf(run.rows);
  const lettering = letterRows([...run.rows, ...run.spared], loops);
  const { tops, body, bottom } = drawRows(run.rows, loops, lettering, options);
  const tail = drawTail(run, lettering, frame, bottom + 8, caption);
  const height = bottom + 8 + tail.height;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc" width="${frame.width}" height="${height}" viewBox="0 0 ${frame.width} ${height}">\n` +
    `<title id="title">${escapeText(title)}</title>\n<desc id="desc">${escapeText(runInWords(run.rows, run.spared.length))}</desc>\n` +
    `<style>\n${writeStyles(palette, theme, frame.size, frame.noteSize)}</style>\n` +
    `<rect class="card" x="0.5" y="0.5" width="${frame.width - 1}" height="${height - 1}" rx="10"/>\n` +
    `<text class="ink title" x="${EDGE}" y="34">${escapeText(cutText(title, frame.width - 2 * EDGE, BOLD * (frame.size + 2)))}</text>\n` +
    `${loops.map((loop) => drawBracket(loop, tops)).join("")}${body}${tail.markup}</svg>\n`
  );
}

function drawRows(rows: readonly Row[], loops: readonly DrawnLoop[], lettering: Lettering, options: StripOptions) {
  const { frame } = options;
  const tops: { top: number; bottom: number }[] = [];
  let bottom = HEAD;
  let body = "";
  let hasSpoken = false;
  for (let place = 0; place < rows.length; ) {
    const row = rows[place]!;
    const letter: Letter = "said" in row ? lettering.letterOf(row) : { letter: "", colour: "" };
    const lines = hasSpoken ? 1 : options.lines;
    const times = timesFrom(rows, place, loops);
    const isSame = isSameInLoop(rows, place, loops);
    const piece = drawRow(row, bottom, { frame, letter, isSameInLoop: isSame, lines, times });
    hasSpoken ||= "said" in row && row.said.length > 0;
    for (let each = 0; each < times; each++) tops.push({ top: bottom, bottom: bottom + 42 });
    bottom += piece.height;
    body += piece.markup;
    place += times;
  }
  return { tops, body, bottom };
}

/** How many rows from a place on are drawn as one, because the loop goes on and the guard says nothing new. */
function timesFrom(rows: readonly Row[], place: number, loops: readonly DrawnLoop[]): number {
  const signOf = (at: number): string | undefined => {
    const [row, before] = [rows[at], rows[at - 1]];
    if (row?.type !== "call" || uncountedWords(row) !== undefined) return undefined;
    const isAsBefore = before?.type === "call" && row.state === "refused" && before.state === "refused";
    if (row.said.length > 0 && !(isAsBefore && row.said[0]!.action === before.said[0]?.action)) return undefined;
    return JSON.stringify([row.same, outcomeWords(row, isSameInLoop(rows, at, loops))]);
  };
  const sign = signOf(place);
  let end = place + 1;
  while (sign !== undefined && signOf(end) === sign) end++;
  return end - place < LEAST_FOLDED ? 1 : end - place;
}

/** Whether a call shows a loop, and an earlier one that shows it came to the same. */
function isSameInLoop(rows: readonly Row[], place: number, loops: readonly DrawnLoop[]): boolean {
  const row = rows[place]!;
  const loop = loops.find((other) => other.rows.has(row));
  if (loop === undefined || row.type !== "call") return false;
  const earlier = rows.slice(0, place).filter((other) => loop.rows.has(other));
  return earlier.some((other) => other.type === "call" && other.outcome === row.outcome);
}

/** The line at the left that says from where to where a loop goes. */
function drawBracket({ onset, end }: DrawnLoop, tops: readonly { top: number; bottom: number }[]): string {
  return `<path class="bracket" d="M22 ${tops[onset]!.top + 6}H14V${tops[end]!.bottom - 6}H22"/>\n`;
}

/** What was never done, what the letters mean, and what the guard said in all. */
function drawTail(
  { rows, spared }: PlayedRun,
  lettering: Lettering,
  frame: Frame,
  top: number,
  caption?: string,
): Piece {
  const room = frame.width - 2 * EDGE;
  let height = 0;
  let markup = "";
  if (spared.length > 0) {
    const words = `Without the guard, it goes on for ${count(spared.length, "call more")}:`;
    markup += drawLines([words], EDGE, top + 20, 0, "ink note");
    const each = Math.floor((frame.width - EDGE - TILE_AT) / (MINI + 4));
    for (const [index, row] of spared.entries()) {
      const [x, y] = [EDGE + (index % each) * (MINI + 4), top + 32 + Math.floor(index / each) * (MINI + 4)];
      const { letter, colour } = lettering.letterOf(row);
      markup += `<g opacity=".5"><rect class="tile ${colour}" x="${x}" y="${y}" width="${MINI}" height="${MINI}" rx="4"/><text class="on-${colour} sign" x="${x + MINI / 2}" y="${y + 14.5}">${letter}</text></g>\n`;
    }
    height += 44 + Math.ceil(spared.length / each) * (MINI + 4);
  }
  const isSilent = rows.every((row) => !("said" in row) || row.said.length === 0);
  const hasCalls = rows.some(({ type }) => type === "call");
  const letters = lettering.grouping && `Same letter: same ${hasCalls ? lettering.grouping : "words"}.`;
  const words = [isSilent ? "The guard says nothing." : undefined, letters, caption].filter(
    (part) => part !== undefined,
  );
  const lines = wrapText(words.join(" "), room, 13);
  markup += drawLines(lines, EDGE, top + height + 14, 18, "soft small");
  return { height: height + lines.length * 18 + 16, markup };
}
