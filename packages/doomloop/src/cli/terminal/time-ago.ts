const UNITS: readonly (readonly [string, number])[] = [
  ["y", 365 * 86_400_000],
  ["mo", 30 * 86_400_000],
  ["w", 7 * 86_400_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
];

/** A time in the machine's time zone, to the minute: `2026-01-31 09:05`. */
export function dateAndTime(at: number): string {
  const date = new Date(at);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** How long ago a time is, in its largest unit: `3d ago`. A time that is still to come is `in 3d`. */
export function timeAgo(at: number, now: number): string {
  const passed = Math.abs(now - at);
  for (const [unit, length] of UNITS) {
    if (passed < length) continue;
    const span = `${Math.floor(passed / length)}${unit}`;
    return at > now ? `in ${span}` : `${span} ago`;
  }
  return "just now";
}
