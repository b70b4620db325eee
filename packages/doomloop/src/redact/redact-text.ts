import { FILE_ENDINGS } from "./file-endings.ts";
import type { Pseudonyms } from "./pseudonyms.ts";

/**
 * What is replaced as one: the escapes of JSON in text, times, durations, chains of numbers, and runs of letters and digits. Everything between stays:
 * marks and white space are what the core cuts text by.
 */
const TOKEN =
  /\\\\|\\u[\dA-Fa-f]{4}|\\[nrtbfv]|\d{4}-\d\d-\d\d[Tt]\d\d(?::\d\d){0,2}|(?:\d{1,9}h)?(?:\d{1,9}m)?\d{1,9}(?:\.\d{1,9})?(?:[num]?s|[mhxp])(?![\dA-Za-z])|\d{1,3}(?:,\d{3})+(?![\dA-Za-z])|\d{1,20}(?:[-:./]\d{1,20})+(?![\dA-Za-z])|\d{2,12}(?: \d{2,12}){2,9}(?![\dA-Za-z])|[\dA-Za-z\u00c0-\u1fff\u3040-\uff00\uff10-\uffff]+/g;
/** One letter, and options of a command: they tell how, not what. */
const OPTION = /^(?:[A-Za-z]{1,3}|[A-Za-z]\d{1,3})$/;
/** Counts, lines, pages and codes; and round numbers, which are somebody's choice of a limit. */
const PLAIN_NUMBER = /^(?:\d{1,3}|[1-9]\d?0+)$/;
const MAX_CHAIN_DIGITS = 6;

/**
 * A text with every word that the core's rules do not know replaced by a pseudonym of the same length and form. Equal words stay equal, and so do
 * the stems of their forms.
 */
export function redactText(text: string, names: Pseudonyms): string {
  return text.replaceAll(TOKEN, (token, at: number) => {
    if (token.startsWith("\\")) return token.length > 2 ? escaped(token, names) : token;
    if (/^\d+$/.test(token)) return PLAIN_NUMBER.test(token) ? token : names.numberOf(token);
    if (/^\d[^A-Za-z]*$/.test(token)) return isShort(token) ? token : names.numberOf(token);
    if (/^[\d.Tt:-]+$|^[\d.hm]*(?:[num]?s|[mhxp])$/.test(token))
      return token.replaceAll(/\d+/g, (digits) =>
        PLAIN_NUMBER.test(digits) && !/t/i.test(token) ? digits : names.numberOf(digits),
      );
    return isKept(text, token, at) ? token : nameOf(token, names);
  });
}

/** A number with up to two parts and few digits: a version, a decimal, a place in a file. */
function isShort(chain: string): boolean {
  const parts = chain.split(/\D/);
  return !chain.includes(",") && parts.length <= 2 && chain.length - parts.length + 1 <= MAX_CHAIN_DIGITS;
}

function isKept(text: string, token: string, at: number): boolean {
  if (token.length === 1) return true;
  const before = text[at - 1];
  if (before === "-" && OPTION.test(token)) return at < 2 || /[\s"'`([]/.test(text[at - 2]!);
  return before === "." && FILE_ENDINGS.has(token.toLowerCase()) && /[\w)*]/.test(text[at - 2] ?? "");
}

function nameOf(token: string, names: Pseudonyms): string {
  return /^0x[\da-f]/i.test(token) ? token.slice(0, 2) + names.nameOf(token.slice(2)) : names.nameOf(token);
}

/** A character that JSON writes by its number; the pseudonym is one of a script that nobody has to escape. */
function escaped(token: string, names: Pseudonyms): string {
  const code = Number.parseInt(token.slice(2), 16);
  if (code < 128 && !/[\dA-Za-z]/.test(String.fromCharCode(code))) return token;
  const drawn = Number(names.markOf(token).slice(0, 6)) % 0x5000;
  return `\\u${(0x4e00 + drawn).toString(16)}`;
}
