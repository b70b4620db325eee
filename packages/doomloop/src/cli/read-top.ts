import { UsageError } from "../system/usage-error.ts";

/** How many rows `--top` asks for. Throws a `UsageError` for what is no such number. */
export function readTop(text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0)
    throw new UsageError(`--top: a number from 1 to 99999 is required, got ${text}`);
  return Number(text);
}
