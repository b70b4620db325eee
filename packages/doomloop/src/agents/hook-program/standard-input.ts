import { read } from "node:fs";

const PIECE_BYTES = 65_536;

/**
 * Whether a process can leave while a read is under way: Node waits for such a read, and only a process that becomes another one does
 * not.
 */
const canLeaveReading = process.platform !== "win32" && process.execve !== undefined;

/**
 * Standard input, piece by piece. Not by Node's streams where that can be: loading those takes longer than judging a call. Whoever reads
 * so ends with `leave`.
 */
export async function* standardInput(): AsyncGenerator<Uint8Array> {
  if (!canLeaveReading) return yield* process.stdin;
  for (;;) {
    const piece = await readPiece();
    // Not every kind of input can be read so.
    if (piece === undefined) return yield* process.stdin;
    if (piece.length === 0) return;
    yield piece;
  }
}

/** Ends the process well, at once, although nobody may have ended its input. */
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
