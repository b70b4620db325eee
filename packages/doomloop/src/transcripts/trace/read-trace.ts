import { parseRun, type TraceRun } from "./parse-run.ts";
import { splitLines } from "./split-lines.ts";

/** Why a line was left out. */
export type SkipReason = "malformed" | "too-long";

export interface ReadTraceOptions {
  /** Told of each line (from 1) that was left out. */
  readonly onSkipped?: (line: number, reason: SkipReason) => void;
  /**
   * Longer lines are left out.
   * @default 268_435_456
   */
  readonly maxLineBytes?: number;
}

/** The byte order mark that some editors put before a file. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Reads the runs of a trace: JSON Lines, one run a line.
 *
 * Blank lines are nothing. A line that is no run is left out and reported; the others are read all the same.
 */
export async function* readTrace(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadTraceOptions = {},
): AsyncGenerator<TraceRun> {
  const { onSkipped, maxLineBytes } = options;
  const lines = splitLines(chunks, {
    ...(maxLineBytes === undefined ? {} : { maxBytes: maxLineBytes }),
    onTooLong: (line) => onSkipped?.(line, "too-long"),
  });
  for await (const { number, bytes } of lines) {
    const text = bytes.toString("utf8");
    const line = number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    if (isBlank(line)) continue;
    const run = parseRun(line);
    if (run === undefined) onSkipped?.(number, "malformed");
    else yield run;
  }
}

/** A long line is not blank, and trimming it would copy it. */
function isBlank(line: string): boolean {
  return line.length < 1024 && line.trim() === "";
}
