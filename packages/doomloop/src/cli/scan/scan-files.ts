import { availableParallelism } from "node:os";
import type { GuardOptions } from "../../core/options.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { alternativesTo } from "../tune/settings.ts";
import { createFileQueue, weightOf } from "./file-queue.ts";
import type { FoundFile } from "./find-transcripts.ts";
import type { FileRecord } from "./run-record.ts";
import type { ScanCache } from "./scan-cache.ts";
import type { ScanOrder } from "./scan-order.ts";
import { scanThreads } from "./scan-threads.ts";

export interface ScanFilesOptions {
  readonly order: ScanOrder;
  readonly readers: readonly TranscriptReader[];
  readonly guardOptions: GuardOptions;
  /** Undefined: everything is read anew, and nothing is kept. */
  readonly cache: ScanCache | undefined;
  /**
   * 0 reads everything on the spot.
   * @default the number of cores, at most 4
   */
  readonly threads?: number | undefined;
  readonly signal: AbortSignal;
  /** Told of every file as it is done, in any order, and whether it was read to its end. */
  readonly onFile: (file: FoundFile, record: FileRecord, isWhole: boolean) => void;
  /** Told how many bytes are read, of how many. */
  readonly onProgress?: ((read: number, total: number) => void) | undefined;
}

/** Starting threads takes a moment: less than this is read on the spot. */
const WORTH_THREADS = 24_000_000;
const MAX_THREADS = 4;

/** Scans files: from the cache what has not changed, the rest here or on threads. Ends early, without a fault, when the signal says so. */
export async function scanFiles(files: readonly FoundFile[], options: ScanFilesOptions): Promise<void> {
  const { cache, order, signal, onFile } = options;
  const waiting: FoundFile[] = [];
  for (const file of files) {
    if (signal.aborted) return;
    const known = cache?.get(file);
    if (known === undefined) waiting.push(file);
    else onFile(file, known, true);
  }

  const total = waiting.reduce((sum, file) => sum + weightOf(file), 0);
  const meter = createMeter(total, options.onProgress);
  const keep = (file: FoundFile, record: FileRecord, isWhole: boolean): void => {
    onFile(file, record, isWhole);
    // Told when its runs are among those that can be shown.
    meter.finish(file);
    if (isWhole && record.fault === null) cache?.set(file, record);
  };

  if (total >= WORTH_THREADS && options.threads !== 0) {
    const threads = options.threads ?? Math.min(MAX_THREADS, availableParallelism());
    await scanThreads(waiting, { threads, order, signal, onProgress: meter.add, onFile: keep });
    return;
  }
  if (waiting.length === 0) return;
  // Loaded here: where threads scan, this one needs no guard and is the sooner about its work.
  const { scanTarget } = await import("./scan-target.ts");
  const queue = createFileQueue(waiting, 1);
  for (let file = queue.take(); file !== undefined && !signal.aborted; file = queue.take()) {
    const { readers, guardOptions } = options;
    const alternatives = order.isTuning === true ? alternativesTo(guardOptions) : undefined;
    const current = file;
    const onProgress = (bytes: number): void => meter.add(current, bytes);
    const record = await scanTarget(file.path, { ...order, readers, guardOptions, alternatives, signal, onProgress });
    keep(file, record, !signal.aborted);
  }
}

interface Meter {
  add(file: FoundFile, bytes: number): void;
  finish(file: FoundFile): void;
}

/** Adds up what was read. A file never counts for more than was expected of it. */
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
