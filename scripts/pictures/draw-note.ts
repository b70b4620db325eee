import type { Decision } from "../../packages/doomloop/src/index.ts";
import { EDGE, type Frame } from "./frame.ts";
import type { CallRow, WordsRow } from "./play-run.ts";
import { markOf, uncountedWords, wordsOf } from "./row-words.ts";
import { escapeText, wrapText } from "./text.ts";

/** A piece of a picture, and how high it is. */
export interface Piece {
  readonly height: number;
  readonly markup: string;
}

const PADDING = 10;
const GAP = 6;

/** What the guard thinks of a step and says at it, one below the other from `top` on. `lines`: of its words, so many are shown. */
export function drawNotes(row: CallRow | WordsRow, frame: Frame, top: number, lines: number): Piece {
  let height = 0;
  let markup = "";
  const uncounted = row.type === "call" ? uncountedWords(row) : undefined;
  const pieces = [
    ...(uncounted === undefined ? [] : [(at: number) => drawSoft(`○ ${uncounted}`, frame, at)]),
    ...row.said.map((decision) => (at: number) => drawSaid(decision, frame, at, lines)),
  ];
  for (const draw of pieces) {
    const piece = draw(top + height);
    markup += piece.markup;
    height += piece.height;
  }
  return { height, markup };
}

/** A remark. */
export function drawSoft(words: string, frame: Frame, top: number): Piece {
  const { notesAt, noteSize, width, areNotesBeside } = frame;
  const baseline = top + noteSize + (areNotesBeside ? 7 : 0);
  const lineHeight = Math.round(noteSize * 1.4);
  const lines = wrapText(words, width - EDGE - notesAt, noteSize);
  return {
    height: lines.length * lineHeight + GAP,
    markup: drawLines(lines, notesAt, baseline, lineHeight, "soft note"),
  };
}

function drawSaid(decision: Decision, { notesAt, noteSize, width }: Frame, top: number, most: number): Piece {
  const { action } = decision;
  const lineHeight = Math.round(noteSize * 1.4);
  const room = width - EDGE - notesAt - 2 * PADDING - 4;
  const heading = `${markOf(decision)} ${action}`;
  const all = wordsOf(decision).split("\n");
  const shown = all.slice(0, most).map((line, at) => (at === most - 1 && all.length > most ? `${line}\u00a0…` : line));
  // Bold is wider, and a gap stands behind it.
  const lines = shown.flatMap((line, at) => wrapText(at === 0 ? `${heading}.. ${line}` : line, room, noteSize));
  lines[0] = lines[0]!.slice(heading.length + 3);
  const height = lines.length * lineHeight + PADDING;
  const at = notesAt + PADDING + 4;
  const bold = `<tspan class="bold ${action}">${escapeText(heading)}</tspan> `;
  return {
    height: height + GAP,
    markup:
      `<rect class="sunken" x="${notesAt}" y="${top}" width="${width - EDGE - notesAt}" height="${height}" rx="6"/>` +
      `<rect class="${action}" x="${notesAt}" y="${top}" width="4" height="${height}" rx="2"/>` +
      drawLines(lines, at, top + noteSize + 4, lineHeight, "ink note", bold),
  };
}

/** Lines of text; `before` is markup before the first. */
export function drawLines(
  lines: readonly string[],
  x: number,
  y: number,
  lineHeight: number,
  classes: string,
  before = "",
): string {
  return lines
    .map((line, index) => {
      const text = `${index === 0 ? before : ""}${escapeText(line)}`;
      return `<text class="${classes}" x="${x}" y="${y + index * lineHeight}">${text}</text>\n`;
    })
    .join("");
}
