import { readDuration } from "../system/duration.ts";
import { UsageError } from "../system/usage-error.ts";

/** A range in milliseconds since 1970. An undefined end is open. */
export interface TimeRange {
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** For people: `the last 30 days`. */
  readonly words: string;
}

export interface TimeRangeOptions {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly last?: string | undefined;
  /** Used if none of the others is given. If undefined, the range is unlimited. */
  readonly defaultLast?: string | undefined;
}

const DAY_MS = 86_400_000;
const DAY = /^(\d{4})-?(\d{2})-?(\d{2})$/;

/** Reads a time range. Days begin and end in the machine's time zone. Throws a `UsageError` for invalid input. */
export function readTimeRange(options: TimeRangeOptions, now: number): TimeRange {
  const { since, until } = options;
  const last = options.last ?? (since === undefined && until === undefined ? options.defaultLast : undefined);
  if (options.last !== undefined && since !== undefined)
    throw new UsageError("--last and --since: only one can be given");
  const end = until === undefined ? undefined : dayOf("--until", until) + DAY_MS - 1;
  if (last !== undefined) {
    const { ms, words } = readDuration("--last", last);
    return { since: (end ?? now) - ms, until: end, words: `the last ${words}` };
  }
  const start = since === undefined ? undefined : dayOf("--since", since);
  if (start !== undefined && end !== undefined && start > end)
    throw new UsageError("--since: a day before --until is required");
  return { since: start, until: end, words: inWords(since, until) };
}

function inWords(since: string | undefined, until: string | undefined): string {
  if (since === undefined) return until === undefined ? "all time" : `until ${until}`;
  return until === undefined ? `since ${since}` : `${since} to ${until}`;
}

function dayOf(option: string, text: string): number {
  const [, year, month, day] = DAY.exec(text) ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  const isReal = date.getMonth() === Number(month) - 1 && date.getDate() === Number(day);
  if (year === undefined || !isReal) throw new UsageError(`${option}: expected a day such as 2026-01-31, got ${text}`);
  return date.getTime();
}
