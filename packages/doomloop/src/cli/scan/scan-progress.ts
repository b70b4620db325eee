import { shortNumber } from "../terminal/amounts.ts";
import type { Progress } from "../terminal/progress.ts";

/** Enough has been read for the rate to mean something. */
const SETTLED_MS = 500;

/** Tells how far a scan has got: share, rate and the time that is left. */
export function createScanProgress(progress: Progress, now: () => number): (read: number, total: number) => void {
  const start = now();
  return (read, total) => {
    const passed = now() - start;
    const share = total === 0 ? 1 : Math.min(1, read / total);
    const rate = (read / Math.max(passed, 1)) * 1000;
    const left = passed < SETTLED_MS || rate === 0 ? "" : `, ${secondsInWords((total - read) / rate)} left`;
    progress.show(`Scanning ${Math.floor(share * 100)} % of ${shortNumber(total)}B, ${shortNumber(rate)}B/s${left}`);
  };
}

function secondsInWords(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
