import { createGenerations } from "./generations.ts";
import { addCall, emptyCalls, joinCalls, type PendingCalls, settleCalls } from "./pending-calls.ts";
import { createShardQueue, type ShardQueue } from "./shard-queue.ts";

/** What travels in one call to the store. */
export interface ReportBatch {
  readonly shard: number;
  readonly calls: readonly PendingCalls[];
  readonly reports: number;
}

/** Reports that wait for their journey, by fingerprint and bounded. */
export interface ReportQueue {
  add(report: NewReport): void;
  /** Takes the oldest fingerprints of one shard. Undefined: nothing waits. */
  take(most: number, waitsSince: number): ReportBatch | undefined;
  /** Takes back what could not be delivered; it goes first the next time. */
  putBack(batch: Pick<ReportBatch, "shard" | "calls">): void;
  /** Fingerprints that wait. */
  fingerprints(): number;
  reports(): number;
  clear(): void;
}

export interface NewReport {
  readonly shard: number;
  readonly name: string;
  readonly tool: string;
  readonly worker: string;
  /** Which call: the same if it is delivered again. */
  readonly call: string;
  /** A success is not counted, and settles what was. */
  readonly kind: "barren" | "other" | "success";
  readonly at: number;
  readonly waitsSince: number;
}

export interface ReportQueueOptions {
  readonly shards: number;
  readonly maxReports: number;
  /** Calls of one fingerprint that can travel together. */
  readonly maxCalls: number;
  onLost(reports: number): void;
}

const MAX_SUCCESSES = 4096;

export function createReportQueue({ shards, maxReports, maxCalls, onLost }: ReportQueueOptions): ReportQueue {
  const queues = Array.from({ length: shards }, createShardQueue);
  /** What is delivered late must not count after a success that came later and was faster. */
  const successes = createGenerations<number>(MAX_SUCCESSES);
  let fingerprints = 0;
  let reports = 0;
  let next = 0;

  const takeFirst = (queue: ShardQueue): PendingCalls | undefined => {
    const first = queue.takeFirst();
    if (first === undefined) return undefined;
    fingerprints--;
    reports -= first.reports;
    return first;
  };

  const append = (queue: ShardQueue, pending: PendingCalls): void => {
    queue.append(pending);
    fingerprints++;
    reports += pending.reports;
  };

  const loseOldest = (queue: ShardQueue): void => {
    const fullest = queue.size() > 0 ? queue : queues.find((each) => each.size() > 0);
    const oldest = fullest && takeFirst(fullest);
    if (oldest !== undefined) onLost(oldest.reports);
  };

  return {
    add({ shard, name, tool, worker, call, kind, at, waitsSince }) {
      const queue = queues[shard]!;
      if (reports >= maxReports) loseOldest(queue);
      let pending = queue.get(name);
      if (pending === undefined) {
        pending = emptyCalls(name, tool, at, waitsSince);
        append(queue, pending);
      }
      if (kind === "success") {
        settleCalls(pending, maxCalls);
        pending.successAt = at;
        successes.set(name, at);
      } else if (pending.counted >= maxCalls) {
        onLost(1);
        return;
      } else {
        if (pending.counted === 0) pending.since = at;
        addCall(pending, worker, kind, call);
      }
      pending.tool = tool;
      pending.reports++;
      reports++;
    },
    take(most, waitsSince) {
      for (let tried = 0; tried < shards; tried++) {
        const shard = (next + tried) % shards;
        const queue = queues[shard]!;
        const calls: PendingCalls[] = [];
        let taken = 0;
        while (calls.length < most) {
          const pending = takeFirst(queue);
          if (pending === undefined) break;
          if (pending.waitsSince < waitsSince) {
            onLost(pending.reports);
            continue;
          }
          calls.push(pending);
          taken += pending.reports;
        }
        if (calls.length === 0) continue;
        next = (shard + 1) % shards;
        return { shard, calls, reports: taken };
      }
      return undefined;
    },
    putBack({ shard, calls }) {
      const later = queues[shard]!;
      const queue = createShardQueue();
      queues[shard] = queue;
      for (const pending of calls) {
        const success = successes.get(pending.name);
        if (success !== undefined && success !== pending.successAt && success >= pending.since) {
          settleCalls(pending, maxCalls);
        }
        append(queue, pending);
      }
      for (let pending = later.takeFirst(); pending !== undefined; pending = later.takeFirst()) {
        const before = queue.get(pending.name);
        if (before === undefined) queue.append(pending);
        else {
          fingerprints--;
          const left = joinCalls(before, pending, maxCalls);
          reports -= left;
          if (left > 0) onLost(left);
        }
      }
      while (reports > maxReports) loseOldest(queue);
    },
    fingerprints: () => fingerprints,
    reports: () => reports,
    clear() {
      for (let shard = 0; shard < shards; shard++) queues[shard] = createShardQueue();
      fingerprints = 0;
      reports = 0;
    },
  };
}
