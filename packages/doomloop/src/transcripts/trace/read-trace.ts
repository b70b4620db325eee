import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { jsonIn } from "../foreign-value.ts";
import { openRegularFile } from "../open-regular-file.ts";
import type { SkipReason } from "../record-lines.ts";
import { createRecordReader } from "../record-reader.ts";
import { isRun, type TraceRun } from "./trace-run.ts";

export interface ReadTraceOptions {
  /** Called for each skipped line. Lines are counted from 1. */
  readonly onSkipped?: (line: number, reason: SkipReason) => void;
  /**
   * Longer lines are left out.
   * @default 268_435_456
   */
  readonly maxLineBytes?: number;
}

/**
 * Reads the runs of a trace: JSON Lines, one run per line.
 *
 * Ignores blank lines. Skips and reports lines that are not a run, and reads the others.
 */
export async function* readTrace(
  chunks: AsyncIterable<Uint8Array>,
  { onSkipped, maxLineBytes: maxBytes }: ReadTraceOptions = {},
): AsyncGenerator<TraceRun> {
  let runs: TraceRun[] = [];
  const parser = { record: (value: unknown) => isRun(value) && runs.push(value) > 0, end() {} };
  const records = createRecordReader(parser, { onSkipped, maxBytes });
  for await (const { buffer, byteOffset, byteLength } of chunks) {
    records.push(Buffer.from(buffer, byteOffset, byteLength));
    yield* runs;
    runs = [];
  }
  records.end();
  yield* runs;
}

/** Reads one line of a trace. Undefined if it is not a run. */
export function parseRun(line: string): TraceRun | undefined {
  const value = jsonIn(line);
  return isRun(value) ? value : undefined;
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
  if (!GZIP_MAGIC.every((byte, at) => head[at] === byte)) return yield* all;
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
