export interface TimeBucket {
  /** Milliseconds; the end is the next one's start. */
  readonly start: number;
  readonly end: number;
  readonly loops: number;
}

export interface TimeBuckets {
  readonly unit: "day" | "week" | "month" | "year";
  readonly buckets: readonly TimeBucket[];
  /** Loops whose time is unknown. */
  readonly undated: number;
  /** Loops whose time cannot be: before there were agents, or after the report was made. */
  readonly odd: number;
}

interface TimeLimits {
  readonly since?: number | null;
  readonly until?: number | null;
  /** When the report was made. */
  readonly madeAt?: number | null;
}

const DAY_MS = 86_400_000;
/** Agents that call tools are younger. */
const EARLIEST = Date.UTC(2020, 0, 1);
const MAX_DAYS = 62;
const MAX_WEEKS = 366 * 1.5;
const MAX_MONTHS = 366 * 5;

/**
 * Counts loops by day, week, month or year, whatever gives a number of bars that one can read. Quiet spans are kept.
 *
 * `range` widens the span beyond the loops' own times. Spans begin at midnight of the reader's time zone. Odd times are put aside,
 * so that one of them does not squeeze all others into a single bar.
 */
export function bucketLoops(
  times: readonly (number | null)[],
  { since = null, until = null, madeAt = null }: TimeLimits = {},
): TimeBuckets {
  // Clocks differ, and so do time zones.
  const latest = (madeAt ?? Date.now()) + 2 * DAY_MS;
  const isPlausible = (time: number) => time >= EARLIEST && time < latest;
  const known = times.filter((time) => time !== null);
  const dated = known.filter(isPlausible);
  const aside = { undated: times.length - known.length, odd: known.length - dated.length };
  if (dated.length === 0) return { unit: "day", buckets: [], ...aside };
  const edges = [since, until].filter((edge) => edge !== null).filter(isPlausible);
  const all = [...edges, ...dated];
  const first = all.reduce((one, other) => Math.min(one, other));
  const last = all.reduce((one, other) => Math.max(one, other));
  const unit = unitFor((last - first) / DAY_MS);

  const starts: number[] = [];
  for (let start = startOf(first, unit); start <= last; start = next(start, unit)) starts.push(start);
  const loops = new Map<number, number>();
  for (const time of dated) loops.set(startOf(time, unit), (loops.get(startOf(time, unit)) ?? 0) + 1);
  return {
    unit,
    buckets: starts.map((start) => ({ start, end: next(start, unit), loops: loops.get(start) ?? 0 })),
    ...aside,
  };
}

function unitFor(days: number): TimeBuckets["unit"] {
  if (days <= MAX_DAYS) return "day";
  if (days <= MAX_WEEKS) return "week";
  return days <= MAX_MONTHS ? "month" : "year";
}

function startOf(time: number, unit: TimeBuckets["unit"]): number {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (unit === "year") return new Date(year, 0, 1).getTime();
  if (unit === "month") return new Date(year, month, 1).getTime();
  // Weeks begin on Monday.
  return new Date(year, month, unit === "week" ? day - ((date.getDay() + 6) % 7) : day).getTime();
}

function next(start: number, unit: TimeBuckets["unit"]): number {
  const date = new Date(start);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (unit === "year") return new Date(year + 1, 0, 1).getTime();
  if (unit === "month") return new Date(year, month + 1, 1).getTime();
  return new Date(year, month, day + (unit === "week" ? 7 : 1)).getTime();
}
