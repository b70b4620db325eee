import { setPriority } from "node:os";
import { Worker, workerData } from "node:worker_threads";
import { processorTimeMs } from "../server-costs.ts";

/**
 * Slows a process down to a fraction of a core by stopping it whenever it has used more than that. It goes by the scheduler's statistics,
 * so other work on the machine makes no difference.
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

/** The CPU time that it may save up while it is idle. */
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

/**
 * Gives a process priority over others, as if it had a processor of its own, so that the load's own work does not slow the server down.
 * Without the right to do so, the bench takes longer.
 */
export function prefer(pid: number): void {
  try {
    setPriority(pid, -15);
  } catch {
    // Without the right, times are longer, never shorter.
  }
}
