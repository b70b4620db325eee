/** A time as ISO 8601. Null if it is missing or not a valid date. */
export function isoTime(at: number | undefined): string | null {
  if (at === undefined) return null;
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
