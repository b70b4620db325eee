import { Worker } from "node:worker_threads";
import { packageFolder } from "../system/package-folder.ts";
import type { FoundFile } from "./find-transcripts.ts";
import type { FileRecord } from "./run-record.ts";
import type { ScanOrder, WorkerAnswer, WorkerMessage } from "./scan-file.ts";

/** About how much text a compressed transcript holds for each of its bytes. */
const GZIP_FACTOR = 7;

interface ScanThreadsOptions {
  readonly threads: number;
  readonly order: ScanOrder;
  readonly signal: AbortSignal;
  readonly onProgress: (file: FoundFile, bytes: number) => void;
  readonly onFile: (file: FoundFile, record: FileRecord, isWhole: boolean) => void;
}

/**
 * V8 lets garbage lie where memory is plenty. From 2,048 MB on, a heap may grow to four times of what it holds before it is cleaned, and
 * below that to less than twice.
 */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 1_536 };
/** When a worker is given up that does not stop with what it has, in the middle of a record, and then one that does not end. */
const STOP_AFTER_MS = 300;
const END_AFTER_MS = 100;

/** Scans files on worker threads. */
export async function scanThreads(files: readonly FoundFile[], options: ScanThreadsOptions): Promise<void> {
  const count = Math.min(options.threads, files.length);
  const queue = createFileQueue(files, count);
  await Promise.all(Array.from({ length: count }, () => runThread(queue, options)));
}

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

/** Ends a worker. One that hangs in a long piece of native work is left to end with the process. */
async function ended(worker: Worker): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, END_AFTER_MS);
  });
  await Promise.race([worker.terminate(), late]);
  clearTimeout(timer);
  worker.unref();
}

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

const STOPPED: FileRecord = { agent: null, runs: [], steps: {}, skippedLines: 0, fault: null };

/** The worker's file: the one beside this, or where the build puts it. */
function workerUrl(): URL {
  if (import.meta.url.endsWith(".ts")) return new URL("./scan-worker.ts", import.meta.url);
  return new URL("dist/scan/scan-worker.js", packageFolder);
}

/** Files that wait to be scanned. */
interface FileQueue {
  /** The file that is next; undefined if none is left. */
  take(): FoundFile | undefined;
}

/** About how many bytes there are to read in a file. */
export function weightOf({ path, size }: FoundFile): number {
  return path.endsWith(".gz") ? size * GZIP_FACTOR : size;
}

/**
 * Puts files in a row, the newest first: they are what people ask about.
 *
 * A file that is larger than a thread's share of what is left goes first, so that no thread is left alone with it at the end.
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

function byPath(one: FoundFile, other: FoundFile): number {
  return one.path < other.path ? -1 : 1;
}
