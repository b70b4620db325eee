import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { GuardChoice } from "./guard.ts";

/** What a thread does with each order: `judge` a source, `replay` a file quickly, or let the agents in it `react`. */
export type Job = "judge" | "replay" | "react";

/** Has orders answered by threads that each take the next one; the answers come in no order. */
export async function askWorkers<Answer>(job: Job, choice: GuardChoice, orders: readonly unknown[]): Promise<Answer[]> {
  const waiting = [...orders].reverse();
  const answers: Answer[] = [];
  const threads = Array.from({ length: Math.min(orders.length, availableParallelism()) }, async () => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: { job, choice } });
    try {
      for (let order = waiting.pop(); order !== undefined; order = waiting.pop())
        answers.push(await ask<Answer>(worker, order));
    } finally {
      await worker.terminate();
    }
  });
  await Promise.all(threads);
  return answers;
}

function ask<Answer>(worker: Worker, order: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (answer: Answer) => {
      worker.off("error", reject);
      resolve(answer);
    });
    worker.postMessage(order);
  });
}
