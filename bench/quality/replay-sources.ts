import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { JudgedSource } from "./judged-run.ts";
import type { ReplayOrder, SourceKind } from "./replay-order.ts";
import type { Replacement } from "./without/replace-functions.ts";

/** How much longer a file takes than its size tells: innocent runs are replayed in all variants. */
const EFFORT: Readonly<Record<SourceKind, number>> = { recorded: 1, sessions: 3, everyday: 3 };

/**
 * Replays trace files on as many threads as there are cores, with some functions of core replaced; returns the sources in the order of
 * their names.
 */
export async function replaySources(
  orders: readonly ReplayOrder[],
  replacements: readonly Replacement[] = [],
): Promise<JudgedSource[]> {
  // The longest first, so that no thread is left alone with it at the end.
  const waiting = [...orders].sort((one, other) => effortOf(one) - effortOf(other));
  const sources: JudgedSource[] = [];
  const threads = Array.from({ length: Math.min(orders.length, availableParallelism()) }, async () => {
    const worker = new Worker(new URL("./replay-worker.ts", import.meta.url), { workerData: replacements });
    try {
      for (let order = waiting.pop(); order !== undefined; order = waiting.pop())
        sources.push(await ask(worker, order));
    } finally {
      await worker.terminate();
    }
  });
  await Promise.all(threads);
  return sources.sort((one, other) => (one.source < other.source ? -1 : 1));
}

function effortOf({ path, kind }: ReplayOrder): number {
  return EFFORT[kind] * statSync(path).size;
}

function ask(worker: Worker, order: ReplayOrder): Promise<JudgedSource> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (source: JudgedSource) => {
      worker.off("error", reject);
      resolve(source);
    });
    worker.postMessage(order);
  });
}
