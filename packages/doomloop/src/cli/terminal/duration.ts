/** A time that is left, to the second: `4 min 10 s`, `58 s`. */
export function durationInWords(durationMs: number): string {
  const seconds = Math.max(0, Math.ceil(durationMs / 1000));
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  if (minutes === 0) return `${rest} s`;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}
