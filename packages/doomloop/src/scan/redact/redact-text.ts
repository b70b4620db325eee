import { beginsLikeEscape, escapeAt, likeEscape, looksEscaped } from "./escapes.ts";
import { FILE_ENDINGS } from "./file-endings.ts";
import { numberAt } from "./numbers.ts";
import { isPlainPicture, PICTURE_START, pictureAt } from "./pictures.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { tokenAt } from "./token-at.ts";
import { WORD } from "./word-characters.ts";

const RUN = new RegExp(`[${WORD}]+`, "y");
/** Where something may begin that is replaced. Everything between stays: marks and white space are what the core cuts text by. */
const START = new RegExp(`[%\\\\&${WORD}]|${PICTURE_START}`, "g");
/** Characters written by their numbers: in an address, in JSON, in a shell's octal digits, in HTML. */
const CODES =
  /(?:%(?:25)?[\dA-Fa-f]{2})+|(?:[%\\]u[\dA-Fa-f]{4})+|(?:\\u\{[\dA-Fa-f]{1,6}\})+|(?:\\x[\dA-Fa-f]{2})+|(?:\\[0-7]{3})+|(?:&(?:amp;)?#(?:\d{1,7}|x[\dA-Fa-f]{1,6});?)+/y;
/** Single characters, or the numbers of such, one after the other: text that was spelt out. What stands between does not matter. */
const PIECE = `(?:[A-Za-z]|\\d{1,3}|[\\dA-Fa-f]{2}|0x[\\dA-Fa-f]{1,4})(?![${WORD}])`;
const SPELT_OUT = new RegExp(`${PIECE}(?:[^${WORD}]{1,8}${PIECE}){5,}`, "y");
/** Numbers in a row: bytes, a card, a telephone. */
const NUMBERS = /\d+(?:, ?\d+){5,}|\d\d+(?: \d\d+){2,}/y;

const LONGEST_PIECE = 6;

/** Options of a command: they tell how, not what. */
const OPTION = /^(?:[A-Za-z]{1,3}|[A-Za-z]\d{1,3})$/;

/** A piece of a text that is replaced as one, and what comes in its place. */
type Piece = readonly [length: number, redacted: string];

/**
 * A text with every word that the core's rules do not know replaced by a pseudonym of the same length and form. Equal words stay equal, and so do
 * the stems of their forms.
 */
export function redactText(text: string, names: Pseudonyms): string {
  const isEscaped = looksEscaped(text);
  let redacted = "";
  let end = 0;
  for (;;) {
    START.lastIndex = end;
    const index = START.exec(text)?.index;
    if (index === undefined) return redacted + text.slice(end);
    const [length, piece] = pieceAt(text, index, names, isEscaped);
    redacted += text.slice(end, index) + piece;
    end = index + length;
  }
}

function pieceAt(text: string, at: number, names: Pseudonyms, isEscaped: boolean): Piece {
  const picture = pictureAt(text, at);
  if (picture !== "") return [picture.length, isPlainPicture(picture) ? picture : names.pictureOf(picture)];
  const run = tokenAt(RUN, text, at);
  if (run === "") return codesAt(text, at, names, isEscaped);
  const spelt = run.length <= LONGEST_PIECE ? tokenAt(SPELT_OUT, text, at) : "";
  const row = spelt || (/^\d+$/.test(run) ? tokenAt(NUMBERS, text, at) : "");
  if (row !== "") return [row.length, names.rowOf(row)];
  const number = numberAt(text, at, run, names);
  if (number !== undefined) return number;
  return [run.length, isKept(text, run, at) ? run : redactRun(run, names)];
}

/** The two characters of an escape stay: what follows is no part of a word that begins with its letter. */
function codesAt(text: string, at: number, names: Pseudonyms, isEscaped: boolean): Piece {
  const codes = tokenAt(CODES, text, at);
  if (codes !== "") return [codes.length, names.codesOf(codes)];
  const kept = escapeAt(text, at, isEscaped);
  if (kept !== "") return [kept.length, kept];
  const word = text[at] === "\\" ? tokenAt(RUN, text, at + 1) : "";
  if (!beginsLikeEscape(word)) return [1, text.charAt(at)];
  const drawn = redactRun(word, names);
  return [1 + word.length, `\\${drawn === word ? word : likeEscape(drawn)}`];
}

function redactRun(run: string, names: Pseudonyms): string {
  return /^0x[\da-f]/i.test(run) ? run.slice(0, 2) + names.nameOf(run.slice(2)) : names.nameOf(run);
}

function isKept(text: string, run: string, at: number): boolean {
  if (run.length === 1) return run.charCodeAt(0) < 128;
  const before = text[at - 1];
  if (before === "-" && OPTION.test(run)) return at < 2 || /[\s"'`([]/.test(text[at - 2]!);
  return before === "." && FILE_ENDINGS.has(run.toLowerCase()) && /[\w)*]/.test(text[at - 2] ?? "");
}
