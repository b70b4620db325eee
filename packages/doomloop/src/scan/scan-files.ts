import { availableParallelism } from "node:os";

import type { GuardConfig } from "../counting/configured-guard.ts";
import type { TranscriptReader } from "../transcripts/reader.ts";
import { createTurns } from "../transcripts/turns.ts";
import type { FoundFile } from "./find-transcripts.ts";
import type { FileRecord } from "./run-record.ts";
import type { ScanCache } from "./scan-cache.ts";
import type { ScanOrder } from "./scan-file.ts";
import { createFileQueue, scanThreads, weightOf } from "./scan-threads.ts";

export interface ScanFilesOptions {
  readonly order: ScanOrder;
  readonly readers: readonly TranscriptReader[];
  readonly guardOptions: GuardConfig;
  /** If undefined, every file is read again and nothing is cached. */
  readonly cache: ScanCache | undefined;
  /**
   * @default 1 for little text, else the number of cores, at most 4
   */
  readonly threads?: number | undefined;
  readonly signal: AbortSignal;
  /** Called for each finished file, in any order. `isWhole` says whether the file was read to its end. */
  readonly onFile: (file: FoundFile, record: FileRecord, isWhole: boolean) => void;
  /** Called with the bytes read so far and the bytes in total. */
  readonly onProgress?: ((read: number, total: number) => void) | undefined;
}

/**
 * A file may be a single record, and the thread that parses it does not react to Ctrl-C. So only files up to
 * `LONG_FILE`, which take a fraction of a second, are read on the main thread. Starting a thread takes time as well:
 * several are used from `WORTH_THREADS` on. Both are in bytes.
 */
const LONG_FILE = 262_144;
const WORTH_THREADS = 24_000_000;
const MAX_THREADS = 4;

/**
 * Scans files. Unchanged files come from the cache, the others are read here or on worker threads. When the signal
 * aborts, it returns early without an error.
 */
export async function scanFiles(files: readonly FoundFile[], options: ScanFilesOptions): Promise<void> {
  const { cache, order, signal, onFile } = options;
  const waiting: FoundFile[] = [];
  const turns = createTurns();
  for (const file of files) {
    await turns.pause();
    if (signal.aborted) return;
    const known = cache?.get(file);
    if (known === undefined) waiting.push(file);
    else onFile(file, known, true);
  }

  const total = waiting.reduce((sum, file) => sum + weightOf(file), 0);
  const meter = createMeter(total, options.onProgress);
  const keep = (file: FoundFile, record: FileRecord, isWhole: boolean): void => {
    onFile(file, record, isWhole);
    // Progress is reported only after `onFile`, when the runs of the file can be shown.
    meter.finish(file);
    if (isWhole && record.fault === null) cache?.set(file, record);
  };

  if (total >= WORTH_THREADS || waiting.some((file) => weightOf(file) > LONG_FILE)) {
    const most = total < WORTH_THREADS ? 1 : Math.min(MAX_THREADS, availableParallelism());
    const threads = options.threads ?? most;
    await scanThreads(waiting, { threads, order, signal, onProgress: meter.add, onFile: keep });
    return;
  }
  if (waiting.length === 0) return;
  // Loaded lazily: when worker threads scan, the main thread does not need the guard and starts faster.
  const { scanTarget } = await import("./scan-file.ts");
  const queue = createFileQueue(waiting, 1);
  for (let file = queue.take(); file !== undefined && !signal.aborted; file = queue.take()) {
    const { readers, guardOptions } = options;
    const current = file;
    const onProgress = (bytes: number): void => meter.add(current, bytes);
    const record = await scanTarget(file.path, { ...order, readers, guardOptions, signal, onProgress });
    keep(file, record, !signal.aborted);
  }
}

interface Meter {
  add(file: FoundFile, bytes: number): void;
  finish(file: FoundFile): void;
}

/** Adds up the bytes read. A file never counts for more than its expected size. */
function createMeter(total: number, onProgress: ((read: number, total: number) => void) | undefined): Meter {
  const reading = new Map<FoundFile, number>();
  let finished = 0;
  const tell = (): void => {
    if (onProgress === undefined) return;
    let read = finished;
    for (const [file, bytes] of reading) read += Math.min(bytes, weightOf(file));
    onProgress(read, total);
  };
  return {
    add(file, bytes) {
      reading.set(file, (reading.get(file) ?? 0) + bytes);
      tell();
    },
    finish(file) {
      reading.delete(file);
      finished += weightOf(file);
      tell();
    },
  };
}
