import type { TranscriptParser } from "./reader.ts";
import { createRecordLines, type RecordLinesOptions } from "./record-lines.ts";

export interface RecordReaderOptions extends Omit<RecordLinesOptions, "maxSize"> {
  /**
   * Longer lines and documents are skipped.
   * @default 268_435_456
   */
  readonly maxBytes?: number | undefined;
}

const LINE_FEED = 10;
const MAX_BYTES = 268_435_456;
const FIRST_BYTES = 65_536;
const KEPT_BYTES = 4_194_304;

/**
 * The buffer of the last reader, reused for the next one: memory outside the heap is freed late, and there are many
 * files.
 */
let spare: Buffer | undefined;

/**
 * Creates a reader that splits the bytes of one file into JSON values, and passes them to a parser. It is synchronous,
 * because yielding for each line would take longer than the line.
 */
export function createRecordReader(parser: TranscriptParser, options: RecordReaderOptions = {}) {
  const { maxBytes = MAX_BYTES } = options;
  const lines = createRecordLines(parser, { ...options, maxSize: maxBytes });
  let kept = spare ?? Buffer.allocUnsafe(FIRST_BYTES);
  spare = undefined;
  let length = 0;

  const takeLine = (bytes: Buffer, from: number, to: number): void => {
    if (to - from > maxBytes) lines.skipLong();
    else lines.take(bytes.toString("utf8", from, to), to - from);
  };

  /** Adds to the incomplete line. Bytes beyond the limit are counted but not kept. */
  const keep = (bytes: Buffer): void => {
    const before = length;
    length += bytes.length;
    if (length > maxBytes) return;
    if (length > kept.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(length, kept.length * 2), maxBytes));
      kept.copy(larger, 0, 0, before);
      kept = larger;
    }
    bytes.copy(kept, before);
  };

  const takeKept = (): void => {
    takeLine(kept, 0, length);
    length = 0;
    // Frees the memory of a very long line, but keeps enough for usual long lines.
    if (kept.length > KEPT_BYTES) kept = Buffer.allocUnsafe(KEPT_BYTES);
  };

  return {
    /** Takes the next bytes of the file. The caller may overwrite them afterwards. */
    push(bytes: Buffer): void {
      let from = 0;
      for (let to = bytes.indexOf(LINE_FEED); to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
        if (length === 0) takeLine(bytes, from, to);
        else {
          keep(bytes.subarray(from, to));
          takeKept();
        }
        from = to + 1;
      }
      if (from < bytes.length) keep(bytes.subarray(from));
    },
    /** Ends the file. */
    end(): void {
      if (length > 0) takeKept();
      spare = kept;
      lines.end();
    },
    skipped: lines.skipped,
    faults: lines.faults,
  };
}
