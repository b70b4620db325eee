import { exitError } from "../exit-error.ts";
import type { ForeignRecord } from "../foreign-value.ts";

const RETURN_CODE = /^<returncode>(-?\d{1,9})<\/returncode>\s{0,4}(?:<output>)?/;
const END = "</output>";

/** What a command came back with, from the words in which it was told to the model. */
export function outcomeIn(
  text: string | undefined,
  extra: ForeignRecord | undefined,
): { readonly output: string; readonly error: boolean | undefined } {
  const told = text ?? "";
  const match = RETURN_CODE.exec(told);
  if (match === null) return { output: told, error: exitError(extra?.returncode, told) };
  const end = told.lastIndexOf(END);
  const output = told.slice(match[0].length, end < match[0].length ? told.length : end);
  return { output, error: exitError(Number(match[1]), output) };
}
