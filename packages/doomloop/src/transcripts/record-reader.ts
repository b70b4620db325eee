import type { SkippedRecords, TranscriptParser } from "./reader.ts";

/** Cuts bytes into JSON values and hands them to a parser. */
export interface RecordReader {
  /** Takes the next bytes of the file, which may be overwritten afterwards. */
  push(bytes: Buffer): void;
  /** The file is over. */
  end(): void;
  skipped(): SkippedRecords;
  /** Records at which the parser itself failed: our fault, not the file's. */
  faults(): number;
}

export interface RecordReaderOptions {
  /**
   * `any` also takes one JSON document over many lines.
   * @default "lines"
   */
  readonly layout?: "lines" | "any" | undefined;
  /**
   * Longer lines and documents are left out.
   * @default 67_108_864
   */
  readonly maxBytes?: number | undefined;
  /**
   * What of a line needs parsing; "" if none of it does.
   * @default all of it
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

/** Of the reader that ended last, for the next: memory outside of the heap is given back late, and files are many. */
let spare: Buffer | undefined;

/** Creates a reader of one file's records. Synchronous: a turn of the event loop for each line would cost more than the line. */
export function createRecordReader(parser: TranscriptParser, options: RecordReaderOptions = {}): RecordReader {
  const { layout = "lines", maxBytes = MAX_BYTES, trim } = options;
  let kept = spare ?? Buffer.allocUnsafe(FIRST_BYTES);
  spare = undefined;
  let length = 0;
  let isFirst = true;
  let malformed = 0;
  let tooLong = 0;
  let faults = 0;
  /** The lines of a document that is not whole yet. */
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

  /** Adds to the line that is not whole yet; what makes it too long is counted, not kept. */
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
    // One very long line must not hold its memory for the rest of the file; where many are long, room for the usual ones stays.
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

/** Where the rest of a line does not stand without what was left out, the whole line is parsed. */
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

/** Nearly all lines begin with a brace. A long line is not blank, and trimming it would copy it. */
function isBlank(text: string): boolean {
  return text === "" || (text.charCodeAt(0) <= SPACE && text.length < 1024 && text.trim() === "");
}
