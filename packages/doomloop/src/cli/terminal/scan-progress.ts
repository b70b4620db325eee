import { shortNumber } from "../../scan/report/amounts.ts";
import type { ScanProgress } from "../../scan/run-scan.ts";
import type { Progress } from "./progress.ts";

export interface ScanProgressOptions {
  /**
   * What was found so far, in lines that fit the terminal; undefined if there is nothing to show, or no room for it.
   * @default nothing
   */
  readonly findings?: (() => string | undefined) | undefined;
}

/** Enough has been read for the rate to mean something. */
const SETTLED_MS = 500;
/** Putting findings together takes at most this share of the time. */
const FINDINGS_SHARE = 0.05;

/** Creates what tells share, rate and the time that is left, below what was found so far. */
export function createScanProgress(
  progress: Progress,
  now: () => number,
  options: ScanProgressOptions = {},
): ScanProgress {
  const { findings } = options;
  let start: number | undefined;
  let latest: string | undefined;
  let dueMs = 0;

  const look = (): void => {
    if (findings === undefined || now() < dueMs) return;
    const begin = now();
    latest = findings();
    if (latest !== undefined) dueMs = now() + (now() - begin) / FINDINGS_SHARE;
  };

  const lineOf = (read: number, total: number, passed: number): string => {
    const share = total === 0 ? 1 : Math.min(1, read / total);
    const scanning = `Scanning ${Math.floor(share * 100)} % of ${shortNumber(total)}B`;
    const rate = (read / Math.max(passed, 1)) * 1000;
    if (passed < SETTLED_MS || rate === 0) return scanning;
    return `${scanning}, ${shortNumber(rate)}B/s, ${secondsInWords((total - read) / rate)} left`;
  };

  return (read, total) => {
    // Threads take a while to start: the rate is that of the reading.
    start ??= now();
    const passed = now() - start;
    const hadNone = latest === undefined;
    if (hadNone) look();
    const show = (): string => {
      look();
      const line = lineOf(read, total, passed);
      return latest === undefined ? line : `${latest}\n${line}`;
    };
    progress.show(show, { isNews: hadNone && latest !== undefined });
  };
}

function secondsInWords(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
