import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** Has orders answered by threads that each take the next one; the answers come in no order. */
export async function askWorkers<Order, Answer>(
  script: URL,
  workerData: unknown,
  orders: readonly Order[],
): Promise<Answer[]> {
  const waiting = [...orders].reverse();
  const answers: Answer[] = [];
  const threads = Array.from({ length: Math.min(orders.length, availableParallelism()) }, async () => {
    const worker = new Worker(script, { workerData });
    try {
      for (let order = waiting.pop(); order !== undefined; order = waiting.pop())
        answers.push(await ask(worker, order));
    } finally {
      await worker.terminate();
    }
  });
  await Promise.all(threads);
  return answers;
}

function ask<Order, Answer>(worker: Worker, order: Order): Promise<Answer> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (answer: Answer) => {
      worker.off("error", reject);
      resolve(answer);
    });
    worker.postMessage(order);
  });
}
