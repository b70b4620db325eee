import { exitError } from "../exit-error.ts";
import type { ForeignRecord } from "../foreign-value.ts";

const RETURN_CODE = /^<returncode>(-?\d{1,9})<\/returncode>\s{0,4}(?:<output>)?/;
const END = "</output>";

interface Outcome {
  readonly output: string;
  readonly error: boolean | undefined;
}

/** What a command came back with: as it is recorded, or from the words in which it was told to the model. */
export function outcomeIn(text: string | undefined, extra: ForeignRecord | undefined): Outcome {
  const fault = extra?.exception_info;
  const isFailed = typeof fault === "string" && fault !== "" ? true : undefined;
  const raw = extra?.raw_output;
  if (typeof raw === "string") {
    const output = raw === "" && isFailed ? `${fault}` : raw;
    return { output, error: isFailed ?? exitError(extra?.returncode, output) };
  }
  const told = text ?? "";
  const match = RETURN_CODE.exec(told);
  if (match === null) return { output: told, error: isFailed ?? exitError(extra?.returncode, told) };
  const end = told.lastIndexOf(END);
  const output = told.slice(match[0].length, end < match[0].length ? told.length : end);
  return { output, error: isFailed ?? exitError(Number(match[1]), output) };
}
