import type { SkippedRecords, TranscriptParser } from "./reader.ts";

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

export interface RecordReaderOptions {
  /**
   * `any` also accepts one JSON document over many lines.
   * @default "lines"
   */
  readonly layout?: "lines" | "any" | undefined;
  /**
   * Longer lines and documents are skipped.
   * @default 67_108_864
   */
  readonly maxBytes?: number | undefined;
  /**
   * Returns the part of a line that needs parsing, or "" if none does.
   * @default the whole line
   */
  readonly trim?: ((line: string) => string) | undefined;
}

const LINE_FEED = 10;
const SPACE = 32;
const MAX_BYTES = 67_108_864;
const FIRST_BYTES = 65_536;
const KEPT_BYTES = 4_194_304;
const BYTE_ORDER_MARK = "\uFEFF";
const MALFORMED = Symbol("malformed");
const NOTHING = Symbol("nothing");

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
  const { layout = "lines", maxBytes = MAX_BYTES, trim } = options;
  let kept = spare ?? Buffer.allocUnsafe(FIRST_BYTES);
  spare = undefined;
  let length = 0;
  let isFirst = true;
  let malformed = 0;
  let tooLong = 0;
  let faults = 0;
  /** The lines of an incomplete document. */
  let document: string[] | undefined;
  let documentBytes = 0;

  const hand = (value: unknown): void => {
    try {
      if (!parser.record(value)) malformed++;
    } catch {
      faults++;
    }
  };

  const takeText = (text: string): void => {
    if (isBlank(text)) return;
    const value = parseTrimmed(text, trim);
    if (value === NOTHING) return;
    if (value !== MALFORMED) hand(value);
    else if (isFirst && layout === "any" && (text.startsWith("{") || text.startsWith("["))) document = [text];
    else malformed++;
    isFirst = false;
  };

  const takeLine = (bytes: Buffer, from: number, to: number): void => {
    if (to - from > maxBytes) {
      tooLong++;
      isFirst = false;
      return;
    }
    const text = bytes.toString("utf8", from, to);
    if (document === undefined) {
      takeText(isFirst && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
      return;
    }
    documentBytes += to - from + 1;
    if (documentBytes <= maxBytes) document.push(text);
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

  const takeDocument = (lines: readonly string[]): void => {
    document = undefined;
    if (documentBytes > maxBytes) {
      tooLong++;
      return;
    }
    const value = parse(lines.join("\n"));
    if (value !== MALFORMED) hand(value);
    else for (const line of lines) takeText(line);
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
      if (document !== undefined) takeDocument(document);
      try {
        parser.end();
      } catch {
        faults++;
      }
    },
    skipped: () => ({ malformed, tooLong }),
    faults: () => faults,
  };
}

/** If the trimmed line is not valid JSON, the whole line is parsed. */
function parseTrimmed(text: string, trim: ((line: string) => string) | undefined): unknown {
  if (trim === undefined) return parse(text);
  try {
    const needed = trim(text);
    if (needed === "") return NOTHING;
    return JSON.parse(needed) as unknown;
  } catch {
    return parse(text);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return MALFORMED;
  }
}

/** Almost all lines begin with a brace. A long line is not blank, and trimming would copy it. */
function isBlank(text: string): boolean {
  return text === "" || (text.charCodeAt(0) <= SPACE && text.length < 1024 && text.trim() === "");
}
