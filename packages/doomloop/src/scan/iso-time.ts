/** A time as ISO 8601; null where there is none, or none that a calendar has. */
export function isoTime(at: number | undefined): string | null {
  if (at === undefined) return null;
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
