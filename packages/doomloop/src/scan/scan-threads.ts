import { Worker } from "node:worker_threads";
import { packageFolder } from "../system/package-folder.ts";
import type { FoundFile } from "./find-transcripts.ts";
import type { FileRecord } from "./run-record.ts";
import type { ScanOrder, WorkerAnswer, WorkerMessage } from "./scan-file.ts";

interface ScanThreadsOptions {
  readonly threads: number;
  readonly order: ScanOrder;
  readonly signal: AbortSignal;
  readonly onProgress: (file: FoundFile, bytes: number) => void;
  readonly onFile: (file: FoundFile, record: FileRecord, isWhole: boolean) => void;
}

/** Scans files on worker threads. */
export async function scanThreads(files: readonly FoundFile[], options: ScanThreadsOptions): Promise<void> {
  const count = Math.min(options.threads, files.length);
  const queue = createFileQueue(files, count);
  await Promise.all(Array.from({ length: count }, () => runThread(queue, options)));
}

/**
 * V8 collects garbage late if it may use much memory. With a limit of 2,048 MB or more, a heap grows to four times its
 * live data before a collection. With a lower limit, it grows to less than twice.
 */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 1_536 };

/** After an abort, how long to wait for a worker that is in the middle of a record, and then for its thread to end. */
const STOP_AFTER_MS = 300;
const END_AFTER_MS = 100;

async function runThread(queue: FileQueue, options: ScanThreadsOptions): Promise<void> {
  const { order, signal, onFile } = options;
  const worker = new Worker(workerUrl(), { workerData: order, resourceLimits: RESOURCE_LIMITS });
  const stop = (): void => worker.postMessage({ type: "stop" } satisfies WorkerMessage);
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (let file = queue.take(); file !== undefined && !signal.aborted; file = queue.take()) {
      const { record, isWhole } = await ask(worker, file, options);
      onFile(file, record, isWhole);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    await ended(worker);
  }
}

/** Ends a worker. If it is stuck in native code, it ends with the process instead. */
async function ended(worker: Worker): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, END_AFTER_MS);
  });
  await Promise.race([worker.terminate(), late]);
  clearTimeout(timer);
  worker.unref();
}

const STOPPED: FileRecord = { agent: null, runs: [], steps: {}, skippedLines: 0, longLines: 0, fault: null };

function ask(
  worker: Worker,
  file: FoundFile,
  { signal, onProgress }: ScanThreadsOptions,
): Promise<Extract<WorkerAnswer, { type: "done" }>> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      setTimeout(() => settle(() => resolve({ type: "done", record: STOPPED, isWhole: false })), STOP_AFTER_MS).unref();
    };
    const take = (answer: WorkerAnswer): void => {
      if (answer.type === "progress") onProgress(file, answer.bytes);
      else settle(() => resolve(answer));
    };
    const fail = (error: Error): void => settle(() => reject(error));
    const settle = (end: () => void): void => {
      worker.off("message", take);
      worker.off("error", fail);
      signal.removeEventListener("abort", giveUp);
      end();
    };
    worker.on("message", take);
    worker.on("error", fail);
    signal.addEventListener("abort", giveUp, { once: true });
    worker.postMessage({ type: "file", path: file.path } satisfies WorkerMessage);
  });
}

/** The worker's file: next to this one in the sources, in `dist/` after a build. */
function workerUrl(): URL {
  if (import.meta.url.endsWith(".ts")) return new URL("./scan-worker.ts", import.meta.url);
  return new URL("dist/scan/scan-worker.js", packageFolder);
}

/** The files still to be scanned. */
interface FileQueue {
  /** The next file. Undefined if none is left. */
  take(): FoundFile | undefined;
}

/** Approximate compression ratio of transcripts. */
const GZIP_FACTOR = 7;

/**
 * Queues files, newest first, because people ask about those.
 *
 * A file that is larger than a thread's share of the remaining bytes goes first, so that no thread works on it alone at
 * the end.
 */
export function createFileQueue(files: readonly FoundFile[], threads: number): FileQueue {
  const newest = [...files].sort((one, other) => other.modifiedMs - one.modifiedMs || byPath(one, other));
  const largest = [...files].sort((one, other) => weightOf(other) - weightOf(one) || byPath(one, other));
  const taken = new Set<FoundFile>();
  let left = files.reduce((sum, file) => sum + weightOf(file), 0);
  let next = 0;
  let nextLargest = 0;
  return {
    take() {
      while (next < newest.length && taken.has(newest[next]!)) next++;
      while (nextLargest < largest.length && taken.has(largest[nextLargest]!)) nextLargest++;
      const giant = largest[nextLargest];
      const file = giant !== undefined && weightOf(giant) * threads > left ? giant : newest[next];
      if (file === undefined) return undefined;
      taken.add(file);
      left -= weightOf(file);
      return file;
    },
  };
}

/** Approximate number of bytes to read, uncompressed. */
export function weightOf({ path, size }: FoundFile): number {
  return path.endsWith(".gz") ? size * GZIP_FACTOR : size;
}

function byPath(one: FoundFile, other: FoundFile): number {
  return one.path < other.path ? -1 : 1;
}
