export interface SplitLinesOptions {
  /**
   * Longer lines are left out.
   * @default 268_435_456
   */
  readonly maxBytes?: number;
  /** Told the number (from 1) of each line that was too long. */
  readonly onTooLong?: (line: number) => void;
}

/** A line without its end, and which one it is, from 1. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer;
}

const LINE_FEED = 10;
const MAX_BYTES = 268_435_456;
const FIRST_BYTES = 65_536;

/**
 * Cuts a stream of bytes into lines, without ever holding more than one line and one chunk.
 *
 * On bytes, because a line may be longer than a text line reader is made for, and a character may be cut by a chunk.
 * A line is valid until the next one is asked for.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  options: SplitLinesOptions = {},
): AsyncGenerator<Line> {
  const { maxBytes = MAX_BYTES, onTooLong } = options;
  let kept = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;
  let number = 1;

  /** Adds to the line that is not whole yet; what makes it too long is counted, not kept. */
  const keep = (piece: Buffer): void => {
    const before = length;
    length += piece.length;
    if (length > maxBytes) return;
    if (length > kept.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(length, kept.length * 2), Math.max(maxBytes, length)));
      kept.copy(larger, 0, 0, before);
      kept = larger;
    }
    piece.copy(kept, before);
  };

  /** Ends the line with its last piece, which is not copied where it is the whole. */
  const finish = (piece: Buffer): Line | undefined => {
    const isWhole = length === 0;
    if (isWhole) length = piece.length;
    else keep(piece);
    const isTooLong = length > maxBytes;
    if (isTooLong) onTooLong?.(number);
    const line = isTooLong ? undefined : { number, bytes: isWhole ? piece : kept.subarray(0, length) };
    length = 0;
    number++;
    return line;
  };

  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      const line = finish(bytes.subarray(start, end));
      start = end + 1;
      if (line !== undefined) yield line;
    }
    keep(bytes.subarray(start));
  }
  if (length === 0) return;
  const last = finish(Buffer.alloc(0));
  if (last !== undefined) yield last;
}
