import type { WriteStream } from "node:tty";
import { shortNumber } from "../../scan/report/amounts.ts";
import type { ScanProgress } from "../../scan/run-scan.ts";

/** A line on the terminal that shows the progress. */
export interface Progress {
  /**
   * Replaces the shown text, at a limited rate. A function is called only when its text is shown. The line must be
   * printable and fit.
   */
  show(text: string | (() => string)): void;
  /** Removes the text, so that something else can be printed. */
  clear(): void;
}

const FIRST_MS = 300;
const INTERVAL_MS = 200;
const ERASE_LINE = "\r\u001b[2K";

/** Creates the progress display. Writes nothing to a stream that is not a terminal. */
export function createProgress(stream: Pick<WriteStream, "isTTY" | "write">, now: () => number): Progress {
  let lastMs = now() + FIRST_MS - INTERVAL_MS;
  let isShown = false;
  return {
    show(text) {
      if (!stream.isTTY || now() < lastMs + INTERVAL_MS) return;
      lastMs = now();
      isShown = true;
      stream.write(`${ERASE_LINE}${typeof text === "string" ? text : text()}`);
    },
    clear() {
      if (isShown) stream.write(ERASE_LINE);
      isShown = false;
    },
  };
}

/** After this time the rate is meaningful. */
const SETTLED_MS = 500;
/** Creates a progress callback that shows the share, the rate and the remaining time. */
export function createScanProgress(progress: Progress, now: () => number): ScanProgress {
  let start: number | undefined;
  return (read, total) => {
    // Threads take a while to start, and the rate should only measure the reading.
    start ??= now();
    const passed = now() - start;
    progress.show(() => {
      const share = total === 0 ? 1 : Math.min(1, read / total);
      const scanning = `Scanning ${Math.floor(share * 100)}% of ${shortNumber(total)}B`;
      const rate = (read / Math.max(passed, 1)) * 1000;
      if (passed < SETTLED_MS || rate === 0) return scanning;
      return `${scanning}, ${shortNumber(rate)}B/s, ${secondsInWords((total - read) / rate)} left`;
    });
  };
}

function secondsInWords(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
