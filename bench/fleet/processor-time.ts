import { readdirSync, readFileSync } from "node:fs";

/**
 * Processor time that a process has used so far, with all its threads, in milliseconds.
 *
 * From the scheduler's own books: what processes are told of themselves is sampled at the timer's ticks on many machines, and
 * work that begins with a timer is then counted several times over. Undefined where there are no such books.
 */
export function processorTimeMs(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const books = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"));
    return books.reduce((sum, book) => sum + Number(book.split(" ")[0]), 0) / 1e6;
  } catch {
    return undefined;
  }
}

/** The same of this process; as it is told itself where there is nothing better. */
export function ownTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return processorTimeMs(process.pid) ?? (user + system) / 1000;
}
