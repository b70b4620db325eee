import type { Writable } from "node:stream";
import type { WriteStream } from "node:tty";

/** The columns of what is printed into a pipe or a file, which have no width of their own. */
export const WIDE = 120;

/** Where data goes: a stream that may be slow, and may close before all is said. */
export interface Output {
  /** Nobody reads any more: there is no point in going on. */
  readonly isClosed: boolean;
  /** Writes, and waits where the reader is slow. Throws what is wrong with the stream, unless its reader went away. */
  write(text: string): Promise<void>;
}

/** Creates the output on a stream. A reader that goes away (`doomloop ... | head`) is no fault. */
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

/** What a command may touch of the process. */
export interface CommandStreams {
  readonly input: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean; destroy?(): unknown };
  readonly output: Output;
  /** Columns of the terminal; undefined if the output is none. */
  readonly width: number | undefined;
  readonly messages: Pick<WriteStream, "isTTY" | "write"> & { readonly rows?: number };
}
