import type { WriteStream } from "node:tty";
import { shortNumber } from "../../scan/report/amounts.ts";
import type { ScanProgress } from "../../scan/run-scan.ts";

/** A few lines on the terminal that show the progress. */
export interface Progress {
  /**
   * Replaces the shown text, at a limited rate. A function is called only when its text is shown. Lines must be
   * printable and fit.
   */
  show(text: string | (() => string), options?: ShowOptions): void;
  /** Removes the text, so that something else can be printed. */
  clear(): void;
}

interface ShowOptions {
  /**
   * Shows the text at once, even if the last one is recent.
   * @default false
   */
  readonly isNews?: boolean;
}

const FIRST_MS = 300;
const INTERVAL_MS = 200;
const ERASE_LINE = "\r\u001b[2K";
const ERASE_BELOW = "\r\u001b[J";

/** Creates the progress display. Writes nothing to a stream that is not a terminal. */
export function createProgress(stream: Pick<WriteStream, "isTTY" | "write">, now: () => number): Progress {
  const firstMs = now() + FIRST_MS;
  let lastMs = firstMs - INTERVAL_MS;
  let shownLines = 0;
  const erase = (): string => (shownLines > 1 ? `\u001b[${shownLines - 1}A${ERASE_BELOW}` : ERASE_LINE);
  return {
    show(text, { isNews = false } = {}) {
      const dueMs = isNews ? firstMs : lastMs + INTERVAL_MS;
      if (!stream.isTTY || now() < dueMs) return;
      lastMs = now();
      const shown = typeof text === "string" ? text : text();
      stream.write(`${erase()}${shown}`);
      shownLines = shown.split("\n").length;
    },
    clear() {
      if (shownLines > 0) stream.write(erase());
      shownLines = 0;
    },
  };
}

export interface ScanProgressOptions {
  /**
   * The findings so far, in lines that fit the terminal. Undefined if there are none, or no room for them.
   * @default none
   */
  readonly findings?: (() => string | undefined) | undefined;
}

/** After this time the rate is meaningful. */
const SETTLED_MS = 500;
/** Building the findings may take at most this share of the time. */
const FINDINGS_SHARE = 0.05;

/** Creates a progress callback that shows the share, the rate and the remaining time, below the findings so far. */
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
    const scanning = `Scanning ${Math.floor(share * 100)}% of ${shortNumber(total)}B`;
    const rate = (read / Math.max(passed, 1)) * 1000;
    if (passed < SETTLED_MS || rate === 0) return scanning;
    return `${scanning}, ${shortNumber(rate)}B/s, ${secondsInWords((total - read) / rate)} left`;
  };

  return (read, total) => {
    // Threads take a while to start, and the rate should only measure the reading.
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
