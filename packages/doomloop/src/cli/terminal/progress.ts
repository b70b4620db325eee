import type { WriteStream } from "node:tty";

/** A line on the terminal that tells how far the work has got. */
export interface Progress {
  /** Shows a text instead of the last one, not too often. */
  show(text: string): void;
  /** Takes the line away, so that something else can be printed. */
  clear(): void;
}

const FIRST_MS = 300;
const INTERVAL_MS = 200;
const ERASE_LINE = "\r\u001b[2K";

/** Creates the line on a stream; a stream that is no terminal is left alone. */
export function createProgress(stream: Pick<WriteStream, "isTTY" | "write">, now: () => number): Progress {
  let lastMs = now() + FIRST_MS - INTERVAL_MS;
  let isShown = false;
  return {
    show(text) {
      if (!stream.isTTY || now() - lastMs < INTERVAL_MS) return;
      lastMs = now();
      isShown = true;
      stream.write(`${ERASE_LINE}${text}`);
    },
    clear() {
      if (isShown) stream.write(ERASE_LINE);
      isShown = false;
    },
  };
}
