import type { WriteStream } from "node:tty";
import type { Output } from "../terminal/output.ts";

/** The columns of what is printed into a pipe or a file, which have no width of their own. */
export const WIDE = 120;

/** What a command may touch of the process. */
export interface CommandStreams {
  readonly input: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean; destroy?(): unknown };
  readonly output: Output;
  /** Columns of the terminal; undefined if the output is none. */
  readonly width: number | undefined;
  readonly messages: Pick<WriteStream, "isTTY" | "write"> & { readonly rows?: number };
}
