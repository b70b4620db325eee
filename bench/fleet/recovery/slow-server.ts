import { Worker, workerData } from "node:worker_threads";
import { processorTimeMs } from "../processor-time.ts";
import { prefer } from "./prefer.ts";

/**
 * Gives a process the speed of a fraction of a core: it is stopped whenever it has had more than that. By the scheduler's books, so that it
 * makes no difference what else the machine does.
 */
export function slowDown(pid: number, slowness: number): { end(): Promise<unknown> } {
  const worker = new Worker(import.meta.filename, { workerData: { pid, slowness } });
  return {
    async end() {
      await worker.terminate();
      process.kill(pid, "SIGCONT");
    },
  };
}

/** What it may save up while it has nothing to do. */
const MAX_SAVED_MS = 20;

function hold({ pid, slowness }: { readonly pid: number; readonly slowness: number }): void {
  let paidUntil = performance.now();
  let before = processorTimeMs(pid) ?? 0;
  let isStopped = false;
  setInterval(() => {
    const now = performance.now();
    const used = processorTimeMs(pid) ?? before;
    paidUntil = Math.max(paidUntil, now - MAX_SAVED_MS) + (used - before) * slowness;
    before = used;
    const mustStop = paidUntil > now;
    if (mustStop !== isStopped) process.kill(pid, mustStop ? "SIGSTOP" : "SIGCONT");
    isStopped = mustStop;
  }, 1);
}

const asked = workerData as { readonly pid: number; readonly slowness: number } | null;
if (asked?.slowness !== undefined) {
  prefer(0);
  hold(asked);
}
