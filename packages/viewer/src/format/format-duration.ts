/** A span in words, from seconds to days: the two largest units. Undefined for what is no span. */
export function formatDuration(spanMs: number): string | undefined {
  if (!(spanMs >= 0) || !Number.isFinite(spanMs)) return undefined;
  const seconds = Math.round(spanMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.round(hours / 24)} days`;
}
