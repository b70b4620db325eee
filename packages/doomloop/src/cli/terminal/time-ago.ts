const UNITS: readonly (readonly [string, number])[] = [
  ["y", 365 * 86_400_000],
  ["mo", 30 * 86_400_000],
  ["w", 7 * 86_400_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
];

/** How long ago a time is, in its largest unit: `3d ago`. */
export function timeAgo(at: number, now: number): string {
  const passed = now - at;
  for (const [unit, length] of UNITS) if (passed >= length) return `${Math.floor(passed / length)}${unit} ago`;
  return "now";
}
