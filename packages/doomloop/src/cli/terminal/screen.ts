import type { WriteStream } from "node:tty";

/** The whole terminal, drawn over and over, and given back as it was. */
export interface Screen {
  /** Shows these lines instead of the last ones. They must be printable and fit. */
  show(lines: readonly string[]): void;
  close(): void;
}

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const ERASE_TO_END_OF_LINE = "\u001b[K";
const ERASE_BELOW = "\u001b[J";

/** Takes over the terminal. What stood there comes back when the screen is closed. */
export function createScreen(stream: Pick<WriteStream, "write">): Screen {
  let isOpen = true;
  stream.write(ENTER);
  return {
    show(lines) {
      if (!isOpen) return;
      // Drawn over, not erased first: a terminal that is erased flickers.
      const drawn = lines.map((line) => `${line}${ERASE_TO_END_OF_LINE}`).join("\r\n");
      stream.write(`${HOME}${drawn}${ERASE_BELOW}`);
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      stream.write(LEAVE);
    },
  };
}
