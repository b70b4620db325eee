import { read } from "node:fs";

const PIECE_BYTES = 65_536;

/** Whether the process can end during a read. Node waits for the read, unless the process becomes another one (`execve`). */
const canLeaveReading = process.platform !== "win32" && process.execve !== undefined;

/**
 * Standard input, piece by piece. Avoids Node's streams if possible, because loading them takes longer than judging a call. The program
 * must end with `leave`.
 */
export async function* standardInput(): AsyncGenerator<Uint8Array> {
  if (!canLeaveReading) return yield* process.stdin;
  for (;;) {
    const piece = await readPiece();
    // Not every kind of input can be read this way.
    if (piece === undefined) return yield* process.stdin;
    if (piece.length === 0) return;
    yield piece;
  }
}

/** Ends the process successfully and at once, even if its input is still open. */
export function leave(): never {
  if (canLeaveReading) process.execve?.(process.execPath, [process.execPath, "-e", "0"], {});
  process.exit(0);
}

function readPiece(): Promise<Uint8Array | undefined> {
  const bytes = Buffer.allocUnsafe(PIECE_BYTES);
  return new Promise((resolve) => {
    read(0, bytes, 0, PIECE_BYTES, null, (error, length) => resolve(error ? undefined : bytes.subarray(0, length)));
  });
}
