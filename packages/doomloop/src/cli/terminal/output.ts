import type { Writable } from "node:stream";
import type { WriteStream } from "node:tty";

/** The width for pipes and files, which have none, if `COLUMNS` does not set it. */
const WIDE = 120;

/** The width for what a command writes: that of the terminal, or for a pipe what `COLUMNS` says. */
export function widthFor({ width }: Pick<CommandStreams, "width">, env: NodeJS.ProcessEnv = process.env): number {
  const { COLUMNS = "" } = env;
  return width ?? (/^[1-9]\d{0,3}$/.test(COLUMNS) ? Number(COLUMNS) : WIDE);
}

/** A stream for data. It may be slow, and may close early. */
export interface Output {
  /** The reader is gone, so further output is useless. */
  readonly isClosed: boolean;
  /** Writes, and waits for a slow reader. Throws stream errors, except when the reader is gone. */
  write(text: string): Promise<void>;
}

/** Creates the output on a stream. It is not an error if the reader goes away (`doomloop ... | head`). */
export function createOutput(stream: Writable): Output {
  let isClosed = false;
  let fault: Error | undefined;
  let wake = (): void => {};
  stream.on("drain", () => wake());
  stream.on("close", () => {
    isClosed = true;
    wake();
  });
  stream.on("error", (error: NodeJS.ErrnoException) => {
    isClosed = true;
    if (error.code !== "EPIPE") fault ??= error;
    wake();
  });
  return {
    get isClosed() {
      return isClosed;
    },
    async write(text) {
      if (!isClosed && !stream.write(text)) {
        await new Promise<void>((done) => {
          wake = done;
        });
      }
      if (fault !== undefined) throw fault;
    },
  };
}

/** The streams of the process that a command may use. */
export interface CommandStreams {
  readonly input: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean; destroy?(): unknown };
  readonly output: Output;
  /** The terminal's width. Undefined if the output is not a terminal. */
  readonly width: number | undefined;
  readonly messages: Pick<WriteStream, "isTTY" | "write">;
}
