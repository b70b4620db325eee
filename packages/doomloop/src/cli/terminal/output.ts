import { createInterface } from "node:readline/promises";
import type { Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import { printable } from "../../system/printable.ts";

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

const PLAIN_WORD = /^[\w@%+=:,./-]{1,1000}$/;

/** The command line to run this program again, in the way it was started, safe to paste into a shell. */
export function ownCommand(words: readonly string[], env: NodeJS.ProcessEnv): string {
  // With npx, the program is not on the path.
  const program = env.npm_command === "exec" ? ["npx", "doomloop"] : ["doomloop"];
  return [...program, ...words.map(quoted)].join(" ");
}

/** Quotes a word if a shell would interpret it. */
function quoted(word: string): string {
  return printable(PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
}

/** Asks a person for a line. Undefined for Ctrl-C and the end of the input. */
export async function ask(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(question)).trim();
  } catch {
    // The cursor is still on the line of the question.
    process.stderr.write("\n");
    return undefined;
  } finally {
    terminal.close();
  }
}

/** Asks a yes-or-no question. Anything but `y` means no. */
export async function confirm(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)) ?? "");
}
