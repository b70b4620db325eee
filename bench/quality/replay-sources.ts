import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { JudgedSource, ReplayOrder } from "./replay-source.ts";

/** Replays trace files on as many threads as there are cores; returns the sources in the order of their names. */
export async function replaySources(
  paths: readonly string[],
  order: Omit<ReplayOrder, "path">,
): Promise<JudgedSource[]> {
  // The largest first, so that no thread is left alone with it at the end.
  const waiting = [...paths].sort((one, other) => statSync(one).size - statSync(other).size);
  const sources: JudgedSource[] = [];
  const threads = Array.from({ length: Math.min(paths.length, availableParallelism()) }, async () => {
    const worker = new Worker(new URL("./replay-worker.ts", import.meta.url));
    try {
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
        sources.push(await ask(worker, { ...order, path }));
    } finally {
      await worker.terminate();
    }
  });
  await Promise.all(threads);
  return sources.sort((one, other) => (one.source < other.source ? -1 : 1));
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
