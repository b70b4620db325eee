import { jsonIn } from "./foreign-value.ts";
import type { SkippedRecords, TranscriptParser } from "./reader.ts";

/** Why a line was skipped. */
export type SkipReason = "malformed" | "too-long";

export interface RecordLinesOptions {
  /**
   * `any` also accepts one JSON document over many lines.
   * @default "lines"
   */
  readonly layout?: "lines" | "any" | undefined;
  /** A longer document is skipped. */
  readonly maxSize: number;
  /** Called for each skipped line. Lines are counted from 1. */
  readonly onSkipped?: ((line: number, reason: SkipReason) => void) | undefined;
}

const SPACE = 32;
const BYTE_ORDER_MARK = "\uFEFF";

/** Parses the lines of a file and passes their values to a parser. */
export type RecordLines = ReturnType<typeof createRecordLines>;

/** Creates a reader for the lines of one file. It needs nothing from the machine. */
export function createRecordLines(parser: TranscriptParser, options: RecordLinesOptions) {
  const { layout = "lines", maxSize, onSkipped } = options;
  let isFirst = true;
  let line = 0;
  const skipped = { malformed: 0, tooLong: 0 };
  let faults = 0;
  /** The lines of an incomplete document. */
  let document: string[] | undefined;
  let documentSize = 0;

  const skip = (reason: SkipReason): void => {
    skipped[reason === "too-long" ? "tooLong" : reason]++;
    onSkipped?.(line, reason);
  };

  const hand = (value: unknown): void => {
    try {
      if (!parser.record(value)) skip("malformed");
    } catch {
      faults++;
    }
  };

  const takeText = (text: string): void => {
    if (isBlank(text)) return;
    const value = jsonIn(text);
    if (value !== undefined) hand(value);
    else if (isFirst && layout === "any" && /^[[{]/.test(text)) document = [text];
    else skip("malformed");
    isFirst = false;
  };

  const takeDocument = (lines: readonly string[]): void => {
    document = undefined;
    const isTooLong = documentSize > maxSize;
    const value = isTooLong ? undefined : jsonIn(lines.join("\n"));
    if (isTooLong) skip("too-long");
    else if (value !== undefined) hand(value);
    else for (const text of lines) takeText(text);
  };

  return {
    /** Takes the next line, without its line feed. `size` is its length in the unit of `maxSize`. */
    take(text: string, size: number): void {
      line++;
      if (document === undefined) {
        takeText(isFirst && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
        return;
      }
      documentSize += size + 1;
      if (documentSize <= maxSize) document.push(text);
    },
    /** Counts a line that is too long to be read. */
    skipLong(): void {
      line++;
      skip("too-long");
      isFirst = false;
    },
    /** Ends the file. */
    end(): void {
      if (document !== undefined) takeDocument(document);
      try {
        parser.end();
      } catch {
        faults++;
      }
    },
    skipped: (): SkippedRecords => ({ ...skipped }),
    /** The number of records on which the parser itself failed. That is our error, not the file's. */
    faults: (): number => faults,
  };
}

/** Almost all lines begin with a brace. A long line is not blank, and trimming would copy it. */
function isBlank(text: string): boolean {
  return text === "" || (text.charCodeAt(0) <= SPACE && text.length < 1024 && text.trim() === "");
}
