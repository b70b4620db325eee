const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A span of time in words, its two largest units up to two days: `58 s`, `4 min 10 s`, `3 h 5 min`, `12 days`. */
export function spanInWords(spanMs: number): string {
  const seconds = Math.ceil(Math.max(0, spanMs) / 1000);
  if (seconds < HOUR) return twoUnits(seconds, MINUTE, ["min", "s"]);
  const minutes = Math.round(seconds / 60);
  return minutes < 48 * 60 ? twoUnits(minutes, 60, ["h", "min"]) : `${Math.round(minutes / 1440)} days`;
}

function twoUnits(amount: number, size: number, [large, small]: readonly [string, string]): string {
  const [whole, rest] = [Math.floor(amount / size), amount % size];
  if (whole === 0) return `${rest} ${small}`;
  return rest === 0 ? `${whole} ${large}` : `${whole} ${large} ${rest} ${small}`;
}
