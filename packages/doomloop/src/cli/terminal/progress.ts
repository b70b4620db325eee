import type { WriteStream } from "node:tty";

/** A few lines on the terminal that tell how far the work has got. */
export interface Progress {
  /** Shows a text instead of the last one, not too often: it is asked for only when it is shown. Its lines must be printable and fit. */
  show(text: string | (() => string), options?: ShowOptions): void;
  /** Takes the text away, so that something else can be printed. */
  clear(): void;
}

interface ShowOptions {
  /**
   * Worth showing at once, however short ago the last text was.
   * @default false
   */
  readonly isNews?: boolean;
}

const FIRST_MS = 300;
const INTERVAL_MS = 200;
const ERASE_LINE = "\r\u001b[2K";
const ERASE_BELOW = "\r\u001b[J";

/** Creates the text on a stream; a stream that is no terminal is left alone. */
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
