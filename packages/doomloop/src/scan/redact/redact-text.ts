import { FILE_ENDINGS, isPlainPicture, PICTURE_START, pictureAt, tokenAt, WORD } from "./letters.ts";
import type { Pseudonyms } from "./pseudonyms.ts";

/** A piece of text that is replaced as one, and its replacement. */
type Piece = readonly [length: number, redacted: string];

const RUN = new RegExp(`[${WORD}]+`, "y");
/**
 * Where replaced text may begin. Everything in between stays, because the core splits text at marks and white space.
 */
const START = new RegExp(`[%\\\\&${WORD}]|${PICTURE_START}`, "g");

/**
 * Replaces every word that the core's rules do not know with a pseudonym of the same length and form. Equal words stay
 * equal, and forms of one word keep a common stem.
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

/** Spelt-out text: single characters or their numbers in a row, with any separator. */
const PIECE = `(?:[A-Za-z]|\\d{1,3}|[\\dA-Fa-f]{2}|0x[\\dA-Fa-f]{1,4})(?![${WORD}])`;
const SPELT_OUT = new RegExp(`${PIECE}(?:[^${WORD}]{1,8}${PIECE}){5,}`, "y");
/** Numbers in a row: bytes, a card number, a telephone number. */
const NUMBERS = /\d+(?:, ?\d+){5,}|\d\d+(?: \d\d+){2,}/y;
const LONGEST_PIECE = 6;

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

/** Characters written as numbers: in URLs, JSON, octal shell escapes and HTML. */
const CODES =
  /(?:%(?:25)?[\dA-Fa-f]{2})+|(?:[%\\]u[\dA-Fa-f]{4})+|(?:\\u\{[\dA-Fa-f]{1,6}\})+|(?:\\x[\dA-Fa-f]{2})+|(?:\\[0-7]{3})+|(?:&(?:amp;)?#(?:\d{1,7}|x[\dA-Fa-f]{1,6});?)+/y;

/** Keeps both characters of an escape: the letter after the backslash does not belong to the next word. */
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

/** Short command options. They are not private. */
const OPTION = /^(?:[A-Za-z]{1,3}|[A-Za-z]\d{1,3})$/;

function isKept(text: string, run: string, at: number): boolean {
  if (run.length === 1) return run.charCodeAt(0) < 128;
  const before = text[at - 1];
  if (before === "-" && OPTION.test(run)) return at < 2 || /[\s"'`([]/.test(text[at - 2]!);
  return before === "." && FILE_ENDINGS.has(run.toLowerCase()) && /[\w)*]/.test(text[at - 2] ?? "");
}

const BACKSLASH_PAIR = /\\[\s\S]?/g;
/** The escapes of JSON. */
const JSON_ESCAPE = /^\\["\\/bfnrtu]$/;
/** Found in escaped text but not in Windows paths: a quote, or a line end that no letter follows. */
const SURELY_ESCAPED = /\\"|\\n(?![A-Za-z])/;

/** Whether the backslashes in a text appear to be escapes. */
function looksEscaped(text: string): boolean {
  return (
    text.includes("\\") &&
    SURELY_ESCAPED.test(text) &&
    (text.match(BACKSLASH_PAIR) ?? []).every((pair) => JSON_ESCAPE.test(pair))
  );
}

const ALONE = /\\\\|\\[nrtbfv](?![A-Za-z])/y;
const BEFORE_WORD = /\\[\\nrtbfv]/y;

/** The escape at a position, or an empty string. In `C:\Users\nadine` the `n` belongs to the name. */
function escapeAt(text: string, at: number, isEscaped: boolean): string {
  return tokenAt(isEscaped ? BEFORE_WORD : ALONE, text, at);
}

const ESCAPE_LETTERS = "bfnrt";

/** Whether the first letter of a word after a backslash could complete an escape. */
function beginsLikeEscape(word: string): boolean {
  return word !== "" && ESCAPE_LETTERS.includes(word[0]!);
}

/**
 * A replacement for a word after a backslash. It begins with the letter of an escape, so that valid JSON stays valid.
 */
function likeEscape(drawn: string): string {
  return ESCAPE_LETTERS[drawn.charCodeAt(0) % ESCAPE_LETTERS.length]! + drawn.slice(1);
}

/** Separators between the groups of one number: `1'234'567`, `52.5163`, `2026-01-31 10:20`, `739-184`. */
const BETWEEN = "[ \\u00a0\\u202f\\t_',.\\-/:\\u2013]";
/** A group ends where a word ends, or before a unit: `12.5s`, `1,40p`. */
const GROUP = `\\d+(?=(?:[num]?s|[mhxp])?(?![${WORD}]))`;
const NUMBER = new RegExp(`\\d+(?:${BETWEEN}${GROUP})*`, "y");
const DATE = new RegExp(`\\d{4}-\\d\\d-\\d\\d[Tt]\\d+(?:${BETWEEN}${GROUP})*`, "y");
const DURATION = /^(?:\d+h)?(?:\d+m)?\d+(?:[num]?s|[mhxp])$/;

/**
 * Groups of hexadecimal digits: a UUID, a MAC address, an IPv6 address. At most 40 groups, because text that resembles
 * them is tried group by group.
 */
const HEX_GROUPS = new RegExp(`[\\dA-Fa-f]+(?:(?:::|[:-])[\\dA-Fa-f]+(?![${WORD}])){1,40}`, "y");

/** The number or chain of numbers at a position, with its replacement. Undefined if the run is not a number. */
function numberAt(text: string, at: number, run: string, names: Pseudonyms): Piece | undefined {
  const hex = /^[\dA-Fa-f]+$/.test(run) ? tokenAt(HEX_GROUPS, text, at) : "";
  if (isHexToken(hex)) return [hex.length, names.hexOf(hex)];
  if (DURATION.test(run)) return [run.length, redactNumber(run, names)];
  if (!/^\d+$/.test(run)) return undefined;
  const chain = tokenAt(DATE, text, at) || tokenAt(NUMBER, text, at);
  return [chain.length, redactNumber(chain, names)];
}

/** How JavaScript prints a number. */
const WRITTEN = /^(-?)(\d+(?:\.\d+)?)(e[+-]\d+)?$/;

/** Redacts a number in plain data. It keeps its sign, its magnitude and its number of digits. */
export function redactPlainNumber(value: number, names: Pseudonyms): number {
  const [, sign, digits = "0", exponent = ""] = WRITTEN.exec(String(value)) ?? [];
  return Number(`${sign ?? ""}${redactNumber(digits, names)}${exponent}`) || 0;
}

/** Counts, line numbers, pages and status codes have few digits. Longer numbers may be private. */
const MAX_DIGITS = 3;

function redactNumber(number: string, names: Pseudonyms): string {
  return number.replaceAll(/\D/g, "").length <= MAX_DIGITS ? number : names.chainOf(number);
}

const SHORTEST_HEX = 6;

/** Requires a digit, because words can consist of the letters a to f. */
function isHexToken(token: string): boolean {
  if (!/\d/.test(token) || !/[A-Fa-f]/.test(token)) return false;
  return (
    token.includes("::") || (token.split(/[:-]/).length > 2 && token.replaceAll(/[:-]/g, "").length >= SHORTEST_HEX)
  );
}
