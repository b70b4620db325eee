import type { Pseudonyms } from "./pseudonyms.ts";
import { tokenAt } from "./token-at.ts";
import { WORD } from "./word-characters.ts";

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

/** The number, or chain of numbers, that begins at a place, with what comes instead; undefined if the run there is none. */
export function numberAt(
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
