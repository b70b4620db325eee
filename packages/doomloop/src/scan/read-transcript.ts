import { closeSync, existsSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { openRegularFile } from "../transcripts/open-regular-file.ts";
import { isGzip, readHead, readLineBeginnings } from "../transcripts/read-head.ts";
import type { SkippedRecords, TranscriptReader, TranscriptSink } from "../transcripts/reader.ts";
import { createRecordReader } from "../transcripts/record-reader.ts";
import { openTrace } from "../transcripts/trace/read-trace.ts";
import { detectReader } from "./detect-reader.ts";
import { readers as builtIn } from "./readers.ts";

/** Options for reading a transcript. */
export interface ReadTranscriptOptions {
  /** Called from time to time with the number of bytes read since the last call. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** Stops reading early. Runs that are open at that point end. */
  readonly signal?: Stop | undefined;
  /**
   * Longer lines and documents are skipped.
   * @default 268_435_456
   */
  readonly maxLineBytes?: number | undefined;
}

/** The part of an `AbortSignal` that is used. */
interface Stop {
  readonly aborted: boolean;
}

/** What could not be read. */
export interface ReadTranscriptResult {
  readonly skipped: SkippedRecords;
  /** The number of records on which the reader itself failed. */
  readonly faults: number;
}

const PIECE_BYTES = 262_144;

/**
 * Reads one file into a sink. Throws the `node:fs` error if the file cannot be read. Never throws because of its
 * content.
 *
 * Keeps one line in memory at a time, or the whole file if it is a single JSON document.
 */
export async function readTranscript(
  path: string,
  reader: TranscriptReader,
  sink: TranscriptSink,
  options: ReadTranscriptOptions = {},
): Promise<ReadTranscriptResult> {
  const { onProgress, signal, maxLineBytes } = options;
  const source = { path, hasFile: existsSync };
  if (reader.readFile !== undefined) return { skipped: await reader.readFile(source, sink), faults: 0 };
  const records = createRecordReader(reader.open(source, sink), {
    layout: reader.layout,
    maxBytes: maxLineBytes,
  });
  const take = (bytes: Buffer): void => {
    records.push(bytes);
    onProgress?.(bytes.length);
  };
  try {
    if (isGzip(path)) await readCompressed(path, take, signal);
    else await readPlain(path, take, signal);
  } finally {
    records.end();
  }
  return { skipped: records.skipped(), faults: records.faults() };
}

/**
 * The buffer of the last file, reused for the next one: memory outside the heap is freed late, and there are many
 * files.
 */
let spare: Buffer | undefined;

/** Reads synchronously and yields to the event loop in between. A stream would take a tenth of the whole scan time. */
async function readPlain(path: string, take: (bytes: Buffer) => void, signal: Stop | undefined): Promise<void> {
  const { descriptor: file, size } = openRegularFile(path);
  // The file may grow while it is read. The next scan reads what is added.
  let left = size;
  try {
    const buffer = spare ?? Buffer.allocUnsafe(PIECE_BYTES);
    spare = undefined;
    while (signal?.aborted !== true) {
      const length = readSync(file, buffer, 0, Math.min(PIECE_BYTES, left), null);
      left -= length;
      if (length === 0) break;
      take(length === PIECE_BYTES ? buffer : buffer.subarray(0, length));
      await setImmediate();
    }
    spare = buffer;
  } finally {
    closeSync(file);
  }
}

async function readCompressed(path: string, take: (bytes: Buffer) => void, signal: Stop | undefined): Promise<void> {
  for await (const piece of openTrace(path)) {
    if (signal?.aborted === true) return;
    take(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
  }
}

/**
 * Finds the reader for a file, from its name and its first 4 KB, or else from the beginnings of its first lines,
 * because a snapshot may come before the conversation. Returns undefined if no reader recognises it. Throws the
 * `node:fs` error if the file cannot be read.
 *
 * You can put your own readers before or after the built-in ones: `findReader(path, [mine, ...readers])`. The first
 * match wins.
 */
export function findReader(path: string, readers: readonly TranscriptReader[] = builtIn): TranscriptReader | undefined {
  return detectReader(path, readHead(path), readers) ?? detectReader(path, readLineBeginnings(path), readers);
}
