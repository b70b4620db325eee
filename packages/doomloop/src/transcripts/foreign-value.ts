/** Safe access to foreign values. Each function returns the expected type or nothing, and never throws. */

export type ForeignRecord = Readonly<Record<string, unknown>>;

/** The value if it is an object and not a list. */
export function recordOf(value: unknown): ForeignRecord | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ForeignRecord) : undefined;
}

/** The value if it is a list, else an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NOTHING;
}

/** The objects of a list. */
export function recordsOf(value: unknown): readonly ForeignRecord[] {
  return listOf(value)
    .map(recordOf)
    .filter((record) => record !== undefined);
}

/** The value of a text in JSON; undefined for any other text. */
export function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value if it is a non-empty string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value if it is a valid count, else 0. */
export function countOf(value: unknown): number {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

/** Milliseconds since 1970 from an ISO date, or from seconds, milliseconds, microseconds or nanoseconds since then. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) && value > 0 ? inMilliseconds(value) : undefined;
  if (typeof value !== "string" || value === "" || value.length > LONGEST_DATE) return undefined;
  const time = ISO_LIKE.test(value) ? isoTime(value) : inMilliseconds(Number(value));
  return Number.isNaN(time) ? undefined : time;
}

const NOTHING: readonly unknown[] = [];
const LONGEST_DATE = 40;
const ISO_LIKE = /^\d{4}-/;
const ZONELESS = /^\d{4}-\d\d-\d\d[T ][\d:.]{5,18}$/;
/** The year 5138 in seconds, 1973 in milliseconds. */
const SECONDS_END = 100_000_000_000;

function inMilliseconds(value: number): number {
  let time = value < SECONDS_END ? value * 1000 : value;
  while (time >= SECONDS_END * 1000) time /= 1000;
  return Math.round(time);
}

/** A date without a zone is read as UTC, so that every machine gives the same time. */
function isoTime(value: string): number {
  return Date.parse(ZONELESS.test(value) ? `${value}Z` : value);
}
