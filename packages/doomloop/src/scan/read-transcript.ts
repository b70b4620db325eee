import { closeSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { openRegularFile } from "../transcripts/open-regular-file.ts";
import { isGzip, readHead, readLineBeginnings } from "../transcripts/read-head.ts";
import type { SkippedRecords, TranscriptReader, TranscriptSink } from "../transcripts/reader.ts";
import { createRecordReader, type RecordReader } from "../transcripts/record-reader.ts";
import { openTrace } from "../transcripts/trace/read-trace.ts";
import { readers as builtIn } from "./readers.ts";

/** What reading a transcript can be told besides where it goes. */
export interface ReadTranscriptOptions {
  /** Told now and then how many bytes of the file were read since it was told last. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** Ends the reading early; the runs read so far are ended. */
  readonly signal?: Stop | undefined;
  /**
   * Longer lines and documents are left out.
   * @default 67_108_864
   */
  readonly maxLineBytes?: number | undefined;
}

/** As much of an `AbortSignal` as is asked. */
interface Stop {
  readonly aborted: boolean;
}

/** What could not be read of a transcript. */
export interface ReadTranscriptResult {
  readonly skipped: SkippedRecords;
  /** Records at which a reader itself failed. */
  readonly faults: number;
}

const PIECE_BYTES = 262_144;

/**
 * Reads one file into a sink. Throws as `node:fs` does if the file cannot be read, never for what stands in it.
 *
 * Holds one line at a time, or the whole file if that is one JSON document.
 */
export async function readTranscript(
  path: string,
  reader: TranscriptReader,
  sink: TranscriptSink,
  options: ReadTranscriptOptions = {},
): Promise<ReadTranscriptResult> {
  const { onProgress, signal, maxLineBytes } = options;
  const source = { path };
  if (reader.readFile !== undefined) return { skipped: await reader.readFile(source, sink), faults: 0 };
  const records = createRecordReader(reader.open(source, sink), {
    layout: reader.layout,
    maxBytes: maxLineBytes,
    trim: reader.trim,
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
  return resultOf(records);
}

function resultOf(records: RecordReader): ReadTranscriptResult {
  return { skipped: records.skipped(), faults: records.faults() };
}

/** Of the file that was read last, for the next: memory outside of the heap is given back late, and files are many. */
let spare: Buffer | undefined;

/** Synchronous reads with a turn of the event loop in between: a stream costs a tenth of the whole scan. */
async function readPlain(path: string, take: (bytes: Buffer) => void, signal: Stop | undefined): Promise<void> {
  const { descriptor: file, size } = openRegularFile(path);
  // A file may grow as fast as it is read: what is added meanwhile is the next scan's.
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
 * The reader for a file, told from its name and its first 4 KB, or else from the beginnings of its first lines: a snapshot may stand before
 * the conversation. Undefined if no reader knows it. Throws as `node:fs` does.
 *
 * Readers of your own are asked in their order, before or after the built-in ones: `findReader(path, [mine, ...readers])`.
 */
export function findReader(path: string, readers: readonly TranscriptReader[] = builtIn): TranscriptReader | undefined {
  return detectReader(path, readHead(path), readers) ?? detectReader(path, readLineBeginnings(path), readers);
}

/** The first reader that takes a file for its own; undefined if none does. */
export function detectReader(
  path: string,
  head: string,
  readers: readonly TranscriptReader[],
): TranscriptReader | undefined {
  const name = withoutGzip(path.toLowerCase());
  for (const reader of readers) {
    if (reader.extensions.some((extension) => name.endsWith(extension)) && reader.isMine(path, head)) return reader;
  }
  return undefined;
}

function withoutGzip(name: string): string {
  return name.endsWith(".gz") ? name.slice(0, -3) : name;
}
