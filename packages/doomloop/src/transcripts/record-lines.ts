import type { SkippedRecords, TranscriptParser } from "./reader.ts";

/** Parses the lines of a file and passes their values to a parser. */
export interface RecordLines {
  /** Takes the next line, without its line feed. `size` is its length in the unit of `maxSize`. */
  take(line: string, size: number): void;
  /** Counts a line that is too long to be read. */
  skipLong(): void;
  /** Ends the file. */
  end(): void;
  skipped(): SkippedRecords;
  /** The number of records on which the parser itself failed. That is our error, not the file's. */
  faults(): number;
}

export interface RecordLinesOptions {
  /**
   * `any` also accepts one JSON document over many lines.
   * @default "lines"
   */
  readonly layout?: "lines" | "any" | undefined;
  /** A longer document is skipped. */
  readonly maxSize: number;
  /**
   * Returns the part of a line that needs parsing, or "" if none does.
   * @default the whole line
   */
  readonly trim?: ((line: string) => string) | undefined;
}

const SPACE = 32;
const BYTE_ORDER_MARK = "\uFEFF";
const MALFORMED = Symbol("malformed");
const NOTHING = Symbol("nothing");

/** Creates a reader for the lines of one file. It needs nothing from the machine. */
export function createRecordLines(parser: TranscriptParser, options: RecordLinesOptions): RecordLines {
  const { layout = "lines", maxSize, trim } = options;
  let isFirst = true;
  let malformed = 0;
  let tooLong = 0;
  let faults = 0;
  /** The lines of an incomplete document. */
  let document: string[] | undefined;
  let documentSize = 0;

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

  const takeDocument = (lines: readonly string[]): void => {
    document = undefined;
    if (documentSize > maxSize) {
      tooLong++;
      return;
    }
    const value = parse(lines.join("\n"));
    if (value !== MALFORMED) hand(value);
    else for (const line of lines) takeText(line);
  };

  return {
    take(line, size) {
      if (document === undefined) {
        takeText(isFirst && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line);
        return;
      }
      documentSize += size + 1;
      if (documentSize <= maxSize) document.push(line);
    },
    skipLong() {
      tooLong++;
      isFirst = false;
    },
    end() {
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
