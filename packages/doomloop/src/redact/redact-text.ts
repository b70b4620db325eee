import { FILE_ENDINGS } from "./file-endings.ts";
import type { Pseudonyms } from "./pseudonyms.ts";

const RUN =
  /[\dA-Za-z\u00c0-\u167f\u1681-\u1fff\u2070-\u209f\u2100-\u218f\u2460-\u24ff\u2800-\u28ff\u2c00-\u2fdf\u3040-\ufefe\uff10-\uffff]+/y;
/** Where something may begin that is replaced. Everything between stays: marks and white space are what the core cuts text by. */
const START =
  /[%\\&\dA-Za-z\u00c0-\u167f\u1681-\u1fff\u2070-\u209f\u2100-\u218f\u2460-\u24ff\u2800-\u28ff\u2c00-\u2fdf\u3040-\ufefe\uff10-\uffff]/g;
/** Characters written by their numbers: in an address, in JSON, in a shell's octal digits, in HTML. */
const CODES = /(?:%[\dA-Fa-f]{2})+|(?:\\u[\dA-Fa-f]{4})+|(?:\\[0-7]{3})+|(?:&#x?[\dA-Fa-f]+;)+/y;
const ESCAPE = /\\[\\nrtbfv]/y;
/** Single characters one after the other: text that was spelt out. */
const SPELT_OUT = /[A-Za-z\d](?:[\s,;|'"_.-]+[A-Za-z\d](?![A-Za-z\d])){5,}/y;
/** Numbers in a row: bytes, a card, a telephone. */
const NUMBERS = /\d+(?:, ?\d+){5,}|\d\d+(?: \d\d+){2,}/y;
const DATE = /\d{4}-\d\d-\d\d[Tt]\d\d(?::\d\d)*/y;
/** `12,345`, `1.2.3`, `10:20:30`, `2026-01-31`. */
const CHAIN = /\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:[-:./]\d+)+/y;
const DURATION = /^(?:\d+h)?(?:\d+m)?\d+(?:[num]?s|[mhxp])$/;

/** Options of a command: they tell how, not what. */
const OPTION = /^(?:[A-Za-z]{1,3}|[A-Za-z]\d{1,3})$/;
/** Counts, lines, pages and codes; and round numbers, which are somebody's choice of a limit. */
const PLAIN_NUMBER = /^(?:\d{1,3}|[1-9]\d?0+)$/;
const MAX_CHAIN_DIGITS = 6;

/** A piece of a text that is replaced as one, and what comes in its place. */
type Piece = readonly [length: number, redacted: string];

/**
 * A text with every word that the core's rules do not know replaced by a pseudonym of the same length and form. Equal words stay equal, and so do
 * the stems of their forms.
 */
export function redactText(text: string, names: Pseudonyms): string {
  let redacted = "";
  let end = 0;
  for (;;) {
    START.lastIndex = end;
    const index = START.exec(text)?.index;
    if (index === undefined) return redacted + text.slice(end);
    const [length, piece] = pieceAt(text, index, names);
    redacted += text.slice(end, index) + piece;
    end = index + length;
  }
}

function pieceAt(text: string, at: number, names: Pseudonyms): Piece {
  const run = tokenAt(RUN, text, at);
  if (run === "") return codesAt(text, at, names);
  const spelt = run.length === 1 ? tokenAt(SPELT_OUT, text, at) : "";
  const row = spelt || (/^\d+$/.test(run) ? tokenAt(NUMBERS, text, at) : "");
  if (row !== "") return [row.length, names.rowOf(row)];
  const chain = /^\d+$/.test(run) ? tokenAt(DATE, text, at) || tokenAt(CHAIN, text, at) : "";
  if (chain !== "") return [chain.length, isShort(chain) ? chain : names.chainOf(chain)];
  return [run.length, isKept(text, run, at) ? run : redactRun(run, names)];
}

/** The two characters of an escape stay: what follows is no part of a word that begins with its letter. */
function codesAt(text: string, at: number, names: Pseudonyms): Piece {
  const codes = tokenAt(CODES, text, at);
  if (codes !== "") return [codes.length, names.codesOf(codes)];
  const kept = tokenAt(ESCAPE, text, at) || text.charAt(at);
  return [kept.length, kept];
}

function redactRun(run: string, names: Pseudonyms): string {
  if (/^\d+$/.test(run)) return plainOr(run, names);
  if (DURATION.test(run)) return run.replaceAll(/\d+/g, (digits) => plainOr(digits, names));
  return /^0x[\da-f]/i.test(run) ? run.slice(0, 2) + names.nameOf(run.slice(2)) : names.nameOf(run);
}

function plainOr(digits: string, names: Pseudonyms): string {
  return PLAIN_NUMBER.test(digits) ? digits : names.chainOf(digits);
}

function tokenAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** A number with up to two parts and few digits: a version, a decimal, a place in a file. */
function isShort(chain: string): boolean {
  const parts = chain.split(/\D/);
  return !chain.includes(",") && parts.length <= 2 && chain.length - parts.length + 1 <= MAX_CHAIN_DIGITS;
}

function isKept(text: string, run: string, at: number): boolean {
  if (run.length === 1) return run.charCodeAt(0) < 128;
  const before = text[at - 1];
  if (before === "-" && OPTION.test(run)) return at < 2 || /[\s"'`([]/.test(text[at - 2]!);
  return before === "." && FILE_ENDINGS.has(run.toLowerCase()) && /[\w)*]/.test(text[at - 2] ?? "");
}
