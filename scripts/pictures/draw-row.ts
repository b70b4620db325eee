import { drawLines, drawNotes, drawSoft, type Piece } from "./draw-note.ts";
import { EDGE, type Frame, TEXT_AT, TILE, TILE_AT } from "./frame.ts";
import type { Letter } from "./letter-rows.ts";
import type { AsideRow, CallRow, Row, WordsRow } from "./play-run.ts";
import { outcomeWords, uncountedWords } from "./row-words.ts";
import { cutMiddle, cutText, escapeText, widthOf, wrapText } from "./text.ts";

export interface RowOptions {
  readonly frame: Frame;
  readonly letter: Letter;
  /** The row belongs to a loop, and an earlier one of it came to the same. */
  readonly isSameInLoop: boolean;
  /** Lines of the guard's words that are shown. */
  readonly lines: number;
  /** So many calls are drawn as one; if the guard speaks to them, its words were shown before. */
  readonly times: number;
}

const ROW = 42;
const ASIDE = 28;
const MOST_LINES = 2;

/** Draws what happened at one place of a run. */
export function drawRow(row: Row, top: number, options: RowOptions): Piece {
  if (row.type === "call") return drawCall(row, top, options);
  return "said" in row ? drawWords(row, top, options) : drawAside(row, top, options.frame);
}

function drawCall(row: CallRow, top: number, options: RowOptions): Piece {
  const { frame, letter, isSameInLoop } = options;
  const { size, outcomeEnd } = frame;
  const baseline = top + 26;
  const outcome = outcomeWords(row, isSameInLoop);
  const room = outcomeEnd - TEXT_AT - widthOf(outcome, size) - 12;
  const tool = cutMiddle(row.tool, room / 2, size);
  const argument = cutMiddle(row.argument, room - widthOf(`${tool} `, size, true), size);
  const refusal = row.state === "refused" ? row.said.at(-1)?.action : undefined;
  const state = refusal ?? (row.state === "failed" ? "failing" : "soft");
  return withNotes(row, top, options, {
    height: ROW,
    markup:
      `<text class="soft number" x="44" y="${baseline}">${row.call}</text>` +
      drawTile(letter, TILE_AT, top + 4, signsOf(row, outcome)) +
      `<text class="ink mono" x="${TEXT_AT}" y="${baseline}">` +
      `<tspan class="bold">${escapeText(tool)}</tspan> ${escapeText(argument)}</text>\n` +
      `<text class="${state} end" x="${outcomeEnd}" y="${baseline}">${outcome}</text>\n`,
  });
}

function drawWords(row: WordsRow, top: number, options: RowOptions): Piece {
  const { frame, letter } = options;
  const lineHeight = Math.round(frame.size * 1.35);
  const words = `${row.type === "text" ? "says" : "thinks"} “${row.text.trim()}”`;
  const lines = wrapText(words, frame.outcomeEnd - TEXT_AT, frame.size, MOST_LINES);
  return withNotes(row, top, options, {
    height: Math.max(ROW, lines.length * lineHeight + 8),
    markup:
      drawTile(letter, TILE_AT, top + 4, {}) +
      drawLines(lines, TEXT_AT, top + (lines.length === 1 ? 26 : 18), lineHeight, "ink"),
  });
}

function drawAside({ type, text }: AsideRow, top: number, { width, noteSize }: Frame): Piece {
  const words = cutText(type === "user" ? `user: “${text}”` : text, width - EDGE - TEXT_AT, noteSize);
  return { height: ASIDE, markup: drawLines([words], TEXT_AT, top + 19, 0, "soft note") };
}

function withNotes(row: CallRow | WordsRow, top: number, options: RowOptions, piece: Piece): Piece {
  const { frame, lines, times } = options;
  const notesTop = frame.areNotesBeside ? top + 4 : top + piece.height;
  const isFolded = times > 1 && row.type === "call";
  const notes = isFolded
    ? drawSoft(`… and so on, up to call ${row.call + times - 1}`, frame, notesTop)
    : drawNotes(row, frame, notesTop, lines);
  const height = frame.areNotesBeside ? Math.max(piece.height, notes.height + 4) : piece.height + notes.height;
  return { height, markup: piece.markup + notes.markup };
}

interface Signs {
  readonly isFailing?: boolean;
  /** "=" for the same outcome as before, "○" for a repeat that was not counted. */
  readonly corner?: string;
}

function signsOf(row: CallRow, outcome: string): Signs {
  const corner = uncountedWords(row) !== undefined ? "○" : outcome.endsWith("as before") ? "=" : "";
  return { isFailing: row.state === "failed", corner };
}

/** A tile as the report page has it: a letter, `!` for a failure, `=` for the same outcome again. */
function drawTile({ letter, colour }: Letter, x: number, y: number, { isFailing = false, corner = "" }: Signs): string {
  const sign = (dx: number, dy: number, text: string) =>
    text === "" ? "" : `<text class="on-${colour} sign" x="${x + dx}" y="${y + dy}">${text}</text>`;
  return (
    `<rect class="tile ${colour}" x="${x}" y="${y}" width="${TILE}" height="${TILE}" rx="6"/>` +
    `<text class="on-${colour} letter" x="${x + TILE / 2}" y="${y + 22.5}">${letter}</text>` +
    `${sign(6, 12, isFailing ? "!" : "")}${sign(27, 29, corner)}\n`
  );
}
