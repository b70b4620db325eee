import type { GuardConfig } from "../counting/configured-guard.ts";
import { readFault } from "../system/usage-error.ts";
import { readHead } from "../transcripts/read-head.ts";
import type { TranscriptReader } from "../transcripts/reader.ts";
import { createPriceList } from "./costs/price-list.ts";
import { playTranscript } from "./play-transcript.ts";
import { findReader, readTranscript } from "./read-transcript.ts";
import type { FileRecord } from "./run-record.ts";

export interface ScanFileOptions {
  readonly guardOptions: GuardConfig;
  /** Whether to calculate prices and estimates. */
  readonly hasCosts: boolean;
  readonly includesContent: boolean;
  /** Reads only this run, and keeps all its steps even if it has no loop. */
  readonly onlyRun?: string | undefined;
  readonly onProgress?: ((bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Shared by all files of a thread, so that each model is looked up once. */
const prices = createPriceList();

/**
 * Plays each run of a transcript through its own guard. Never throws: if the file cannot be read to its end, the
 * record's `fault` says why.
 */
export async function scanFile(path: string, reader: TranscriptReader, options: ScanFileOptions): Promise<FileRecord> {
  const { hasCosts, onlyRun, includesContent, guardOptions } = options;
  const played = playTranscript(reader.agent, {
    guardOptions,
    prices: hasCosts ? prices : undefined,
    includesContent,
    onlyRun,
  });
  let [skippedLines, longLines] = [0, 0];
  let fault: string | null = null;
  try {
    const { skipped } = await readTranscript(path, reader, played, {
      onProgress: options.onProgress,
      signal: options.signal,
    });
    longLines = skipped.tooLong;
    skippedLines = skipped.malformed + longLines;
  } catch (error) {
    // Everything read before the error is valid.
    fault = readFault(error);
  }
  return { agent: reader.agent, ...played.finish(), skippedLines, longLines, fault };
}

export interface ScanTargetOptions extends ScanFileOptions {
  readonly readers: readonly TranscriptReader[];
  /** The agent that wrote the file. If undefined, it is detected. */
  readonly format: string | undefined;
}

/**
 * Finds the reader for a file and scans it. Never throws: if the file cannot be read, the record's `fault` says why.
 */
export async function scanTarget(path: string, options: ScanTargetOptions): Promise<FileRecord> {
  const { readers, format } = options;
  try {
    const reader = format === undefined ? findReader(path, readers) : readers.find(({ agent }) => agent === format);
    if (reader !== undefined) return await scanFile(path, reader, options);
    const head = readHead(path);
    return { ...nothing(null), isOld: readers.some(({ wasMine }) => wasMine?.(head)) };
  } catch (error) {
    return nothing(readFault(error));
  }
}

function nothing(fault: string | null): FileRecord {
  return { agent: null, runs: [], steps: {}, skippedLines: 0, longLines: 0, fault };
}

/** How to scan, as plain data that can be sent to a worker. */
export interface ScanOrder {
  readonly preset: string | undefined;
  /** A file with guard options. It may contain functions, so each thread loads it itself. */
  readonly config: string | undefined;
  readonly readerModules: readonly string[];
  readonly format: string | undefined;
  readonly hasCosts: boolean;
  readonly includesContent: boolean;
}

export type WorkerMessage = { readonly type: "file"; readonly path: string } | { readonly type: "stop" };

export type WorkerAnswer =
  | { readonly type: "progress"; readonly bytes: number }
  | { readonly type: "done"; readonly record: FileRecord; readonly isWhole: boolean };
