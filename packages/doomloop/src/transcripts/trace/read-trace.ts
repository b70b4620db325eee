import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { openRegularFile } from "../open-regular-file.ts";
import { isRun, type TraceRun } from "./trace-run.ts";

/** Why a line was skipped. */
export type SkipReason = "malformed" | "too-long";

export interface ReadTraceOptions {
  /** Called for each skipped line. Lines are counted from 1. */
  readonly onSkipped?: (line: number, reason: SkipReason) => void;
  /**
   * Longer lines are left out.
   * @default 268_435_456
   */
  readonly maxLineBytes?: number;
}

/** Some editors write a byte order mark at the start of a file. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Reads the runs of a trace: JSON Lines, one run per line.
 *
 * Ignores blank lines. Skips and reports lines that are not a run, and reads the others.
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

/** A long line is not blank, and trimming would copy it. */
function isBlank(line: string): boolean {
  return line.length < 1024 && line.trim() === "";
}

/** Reads one line of a trace. Undefined if it is not a run. */
export function parseRun(line: string): TraceRun | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return isRun(value) ? value : undefined;
}

interface SplitLinesOptions {
  /**
   * Longer lines are left out.
   * @default 268_435_456
   */
  readonly maxBytes?: number;
  /** Called with the number of each line that was too long, from 1. */
  readonly onTooLong?: (line: number) => void;
}

/** A line without its line feed, and its number, from 1. */
interface Line {
  readonly number: number;
  readonly bytes: Buffer;
}

const LINE_FEED = 10;
const MAX_BYTES = 268_435_456;
const FIRST_BYTES = 65_536;

/**
 * Splits a stream of bytes into lines, and never holds more than one line and one chunk.
 *
 * Works on bytes, because a line may be too long for a text line reader, and a chunk may end inside a character. A line
 * is valid until the next one is requested.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  options: SplitLinesOptions = {},
): AsyncGenerator<Line> {
  const { maxBytes = MAX_BYTES, onTooLong } = options;
  let kept = Buffer.allocUnsafe(FIRST_BYTES);
  let length = 0;
  let number = 1;

  /** Adds to the incomplete line. Bytes beyond the limit are counted but not kept. */
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

  /** Ends the line with its last piece. If the piece is the whole line, it is not copied. */
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

const CHUNK_BYTES = 1 << 16;
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/**
 * The bytes of a trace file, decompressed if they are gzip. Opens the file when the first bytes are requested. Throws
 * like `openRegularFile`.
 */
export async function* openTrace(path: string): AsyncGenerator<Uint8Array> {
  const { descriptor: fd } = openRegularFile(path);
  yield* decompressed(createReadStream(path, { fd, highWaterMark: CHUNK_BYTES }));
}

/**
 * The bytes of a stream, decompressed if they are gzip. Detects gzip by content, because standard input has no name.
 */
export async function* decompressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const head = await readHead(chunks);
  const all = withHead(head, chunks);
  if (!GZIP_MAGIC.every((byte, at) => head[at] === byte)) {
    yield* all;
    return;
  }
  const unzipped = createGunzip({ chunkSize: CHUNK_BYTES });
  // An error on either side ends the other, and is thrown from the loop below.
  pipeline(all, unzipped, () => {});
  yield* unzipped as AsyncIterable<Uint8Array>;
}

/** The first bytes: at least the length of the magic number, if there are that many. */
async function readHead(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < GZIP_MAGIC.length) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    pieces.push(value);
    length += value.length;
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** Closes the rest when it is abandoned, even before its first chunk. */
async function* withHead(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}
