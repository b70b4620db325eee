import type { SkippedRecords, TranscriptParser } from "./reader.ts";
import { createRecordLines, type RecordLinesOptions } from "./record-lines.ts";

/** Splits bytes into JSON values and passes them to a parser. */
export interface RecordReader {
  /** Takes the next bytes of the file. The caller may overwrite them afterwards. */
  push(bytes: Buffer): void;
  /** Ends the file. */
  end(): void;
  skipped(): SkippedRecords;
  /** The number of records on which the parser itself failed. That is our error, not the file's. */
  faults(): number;
}

export interface RecordReaderOptions extends Pick<RecordLinesOptions, "layout" | "trim"> {
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
 * Creates a reader for the records of one file. It is synchronous, because yielding for each line would take longer
 * than the line.
 */
export function createRecordReader(parser: TranscriptParser, options: RecordReaderOptions = {}): RecordReader {
  const { layout, maxBytes = MAX_BYTES, trim } = options;
  const lines = createRecordLines(parser, { layout, trim, maxSize: maxBytes });
  let kept = spare ?? Buffer.allocUnsafe(FIRST_BYTES);
  spare = undefined;
  let length = 0;

  const takeLine = (bytes: Buffer, from: number, to: number): void => {
    if (to - from > maxBytes) lines.skipLong();
    else lines.take(bytes.toString("utf8", from, to), to - from);
  };

  /** Adds to the incomplete line. Bytes beyond the limit are counted but not kept. */
  const keep = (bytes: Buffer, from: number): void => {
    const before = length;
    length += bytes.length - from;
    if (length > maxBytes) return;
    if (length > kept.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(length, kept.length * 2), maxBytes));
      kept.copy(larger, 0, 0, before);
      kept = larger;
    }
    bytes.copy(kept, before, from);
  };

  const takeKept = (): void => {
    const whole = length;
    length = 0;
    if (whole <= maxBytes) takeLine(kept, 0, whole);
    else takeLine(kept, 0, maxBytes + 1);
    // Frees the memory of a very long line, but keeps enough for usual long lines.
    if (kept.length > KEPT_BYTES) kept = Buffer.allocUnsafe(KEPT_BYTES);
  };

  return {
    push(bytes) {
      let from = 0;
      let to = bytes.indexOf(LINE_FEED);
      if (to >= 0 && length > 0) {
        keep(bytes.subarray(0, to), 0);
        takeKept();
        from = to + 1;
        to = bytes.indexOf(LINE_FEED, from);
      }
      for (; to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
        takeLine(bytes, from, to);
        from = to + 1;
      }
      if (from < bytes.length) keep(bytes, from);
    },
    end() {
      if (length > 0) takeKept();
      spare = kept;
      lines.end();
    },
    skipped: () => lines.skipped(),
    faults: () => lines.faults(),
  };
}
