import { UsageError } from "./usage-error.ts";

/** A length of time as somebody typed it. */
export interface Duration {
  readonly ms: number;
  /** For people: `7 days`. */
  readonly words: string;
}

const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, readonly [string, number]>> = {
  min: ["minute", 60_000],
  h: ["hour", 3_600_000],
  d: ["day", DAY_MS],
  w: ["week", 7 * DAY_MS],
  mo: ["month", 30 * DAY_MS],
  y: ["year", 365 * DAY_MS],
};
const DURATION = /^(\d{1,5})(min|mo|[hdwmy]?)$/;

/** Reads a duration: a number with a unit, or a number of days. Throws a `UsageError` that names the option. */
export function readDuration(option: string, text: string): Duration {
  const [, digits, unit] = DURATION.exec(text) ?? [];
  const number = Number(digits);
  if (unit === "m")
    throw new UsageError(`${option}: ${text} may be minutes or months; write ${digits}min or ${digits}mo`);
  if (digits === undefined || number === 0)
    throw new UsageError(`${option}: expected a duration such as 12h or 7d, got ${text}`);
  const [noun, length] = UNITS[unit || "d"]!;
  return { ms: number * length, words: number === 1 ? noun : `${number} ${noun}s` };
}
