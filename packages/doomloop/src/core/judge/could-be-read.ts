import type { Step } from "../step.ts";

const SHORT_FAILURE = 300;
/** What a shell says of a line that it could not read, and so did not run. */
const UNREADABLE = /\b(?:syntax error|unexpected eof|unexpected end of file|unterminated quoted|parse error)\b/i;

/** Whether a call was not turned down before anything of it could run. */
export function couldBeRead({ failure, length }: Step, text: string): boolean {
  return failure === undefined || length >= SHORT_FAILURE || !UNREADABLE.test(text);
}
