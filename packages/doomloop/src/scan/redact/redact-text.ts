import { FILE_ENDINGS, isPlainPicture, PICTURE_START, pictureAt, tokenAt, WORD } from "./letters.ts";
import type { Pseudonyms } from "./pseudonyms.ts";

/** What stands between the groups of one number: `1'234'567`, `52.5163`, `2026-01-31 10:20`, `739-184`. */
const BETWEEN = "[ \\u00a0\\u202f\\t_',.\\-/:\\u2013]";

/** A group ends where a word ends, or before a unit: `12.5s`, `1,40p`. */
const GROUP = `\\d+(?=(?:[num]?s|[mhxp])?(?![${WORD}]))`;

const NUMBER = new RegExp(`\\d+(?:${BETWEEN}${GROUP})*`, "y");

const DATE = new RegExp(`\\d{4}-\\d\\d-\\d\\d[Tt]\\d+(?:${BETWEEN}${GROUP})*`, "y");

const DURATION = /^(?:\d+h)?(?:\d+m)?\d+(?:[num]?s|[mhxp])$/;

/** A UUID, the address of a device or of a computer: groups of hexadecimal digits. No more of them than such have: words that look like it are tried one by one. */
const HEX_GROUPS = new RegExp(`[\\dA-Fa-f]+(?:(?:::|[:-])[\\dA-Fa-f]+(?![${WORD}])){1,40}`, "y");

const SHORTEST_HEX = 6;

/** What a plain number of JavaScript's looks like. */
const WRITTEN = /^(-?)(\d+(?:\.\d+)?)(e[+-]\d+)?$/;

/** Counts, lines, pages and codes have fewer digits than what is somebody's own. */
const MAX_DIGITS = 3;

const ANY = /\\[\s\S]?/g;

/** What JSON knows. */
const KNOWN = /^\\["\\/bfnrtu]$/;

/** What stands in escaped text, and in no path of Windows: a quote, or the end of a line that no word follows. */
const SURE = /\\"|\\n(?![A-Za-z])/;

const ALONE = /\\\\|\\[nrtbfv](?![A-Za-z])/y;

const BEFORE_WORD = /\\[\\nrtbfv]/y;

const LETTERS = "bfnrt";

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

/** Whether the backslashes in a text are escapes, as far as that can be seen. */
function looksEscaped(text: string): boolean {
  return text.includes("\\") && SURE.test(text) && (text.match(ANY) ?? []).every((pair) => KNOWN.test(pair));
}

/** The escape at a place; empty if there is none. In `C:\Users\nadine` the `n` is part of a name. */
function escapeAt(text: string, at: number, isEscaped: boolean): string {
  return tokenAt(isEscaped ? BEFORE_WORD : ALONE, text, at);
}

/** Whether a word after a backslash may begin with the letter of an escape. */
function beginsLikeEscape(word: string): boolean {
  return word !== "" && LETTERS.includes(word[0]!);
}

/** A word for after a backslash. It begins with the letter of some escape, so that text which could be read as JSON still can. */
function likeEscape(drawn: string): string {
  return LETTERS[drawn.charCodeAt(0) % LETTERS.length]! + drawn.slice(1);
}

/** The number, or chain of numbers, that begins at a place, with what comes instead; undefined if the run there is none. */
function numberAt(
  text: string,
  at: number,
  run: string,
  names: Pseudonyms,
): readonly [length: number, redacted: string] | undefined {
  const hex = /^[\dA-Fa-f]+$/.test(run) ? tokenAt(HEX_GROUPS, text, at) : "";
  if (isHexToken(hex)) return [hex.length, names.hexOf(hex)];
  if (DURATION.test(run)) return [run.length, redactNumber(run, names)];
  if (!/^\d+$/.test(run)) return undefined;
  const chain = tokenAt(DATE, text, at) || tokenAt(NUMBER, text, at);
  return [chain.length, redactNumber(chain, names)];
}

/** A number of plain data. Its sign, its size and how many digits it has stay. */
export function redactPlainNumber(value: number, names: Pseudonyms): number {
  const [, sign, digits = "0", exponent = ""] = WRITTEN.exec(String(value)) ?? [];
  return Number(`${sign ?? ""}${redactNumber(digits, names)}${exponent}`) || 0;
}

function redactNumber(number: string, names: Pseudonyms): string {
  return number.replaceAll(/\D/g, "").length <= MAX_DIGITS ? number : names.chainOf(number);
}

/** With a digit in it, for words can be made of these letters, too. */
function isHexToken(token: string): boolean {
  if (!/\d/.test(token) || !/[A-Fa-f]/.test(token)) return false;
  return (
    token.includes("::") || (token.split(/[:-]/).length > 2 && token.replaceAll(/[:-]/g, "").length >= SHORTEST_HEX)
  );
}
