/** Work that is interrupted is tried again; work that is too slow is so each time. */
const MAX_ATTEMPTS = 30;
/** What the yardstick takes where limits in milliseconds were set. */
const YARDSTICK_MS = 3;
const COARSEST_STEP_MS = 10;

/**
 * What a piece of work takes, in milliseconds: by the clock, or of this thread's time on a processor, whichever is less. Others may
 * have the processor for a while, and some systems count a thread's time in coarse steps.
 */
export function costMs(work: () => void): number {
  const [start, before] = [performance.now(), process.threadCpuUsage()];
  work();
  const { user, system } = process.threadCpuUsage(before);
  return Math.min(performance.now() - start, (user + system) / 1000 + COARSEST_STEP_MS);
}

/** What a piece of work takes at best, of as many attempts as it needs to be cheap enough. */
export function lowestCostMs(work: () => void, enoughMs: number): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && lowest >= enoughMs; attempt++)
    lowest = Math.min(lowest, costMs(work));
  return lowest;
}

/**
 * How many times as long a piece of work takes as another. They are tried in turn, the other first, so that both meet the same
 * machine. The shortest of each counts, until the answer is small enough.
 */
export function timesAsLong(work: () => void, other: () => void, enough: number): number {
  const shortest = { work: Number.POSITIVE_INFINITY, other: Number.POSITIVE_INFINITY };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    shortest.other = Math.min(shortest.other, elapsedMs(other));
    shortest.work = Math.min(shortest.work, elapsedMs(work));
    if (attempt > 0 && shortest.work < shortest.other * enough) break;
  }
  return shortest.work / shortest.other;
}

/** A limit that was set on a machine of its time, on this one and now: higher where a yardstick takes longer. */
export function limitHere(limitMs: number): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && shortest > YARDSTICK_MS; attempt++)
    shortest = Math.min(shortest, elapsedMs(yardstick));
  return limitMs * Math.max(1, shortest / YARDSTICK_MS);
}

function elapsedMs(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Some of what a guard does: it walks through text and puts it together. */
function yardstick(): void {
  const text = "Some words, some: more words; and = others\n".repeat(4_000);
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995);
  const lines = new Map(text.split("\n").map((line, at) => [`${line}${at % 100}`, hash]));
  JSON.stringify([...lines.keys()].sort());
}
