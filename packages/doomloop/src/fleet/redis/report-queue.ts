import { createGenerations } from "./generations.ts";

/** What waits to be told of one fingerprint. */
export interface PendingCalls {
  readonly name: string;
  tool: string;
  /** When the oldest of the calls was reported, by the fleet's clock. */
  since: number;
  /** When it was reported, by a clock that nobody sets. */
  waitsSince: number;
  /** When a call last got a worker further; undefined if none did. */
  successAt: number | undefined;
  /** Calls before that: they do not count, but are known if they are delivered again. */
  settled: string[];
  /** Calls that count, by who made them. */
  workers: WorkerCalls[];
  /** How many those are. */
  counted: number;
  /** Reports in it, also those that are no calls to be counted. */
  reports: number;
}

interface WorkerCalls {
  readonly worker: string;
  readonly barren: string[];
  readonly other: string[];
}

/** Reports that wait for their journey, by fingerprint and bounded. */
export interface ReportQueue {
  add(report: NewReport): void;
  /** Takes the oldest fingerprints of one shard. Undefined: nothing waits. */
  take(most: number, waitsSince: number): { readonly shard: number; readonly calls: PendingCalls[] } | undefined;
  /** Takes back what could not be delivered; it goes first the next time. */
  putBack(shard: number, calls: readonly PendingCalls[]): void;
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
  const queues = Array.from({ length: shards }, () => new Map<string, PendingCalls>());
  /** What is delivered late must not count after a success that came later and was faster. */
  const successes = createGenerations<number>(MAX_SUCCESSES);
  let fingerprints = 0;
  let reports = 0;
  let next = 0;

  const remove = (queue: Map<string, PendingCalls>, { name, reports: own }: PendingCalls): void => {
    queue.delete(name);
    fingerprints--;
    reports -= own;
  };

  const insert = (queue: Map<string, PendingCalls>, pending: PendingCalls): void => {
    queue.set(pending.name, pending);
    fingerprints++;
    reports += pending.reports;
  };

  const loseOldest = (queue: Map<string, PendingCalls>): void => {
    const oldest =
      queue.values().next().value ??
      queues
        .find(({ size }) => size > 0)
        ?.values()
        .next().value;
    if (oldest === undefined) return;
    remove(queues.find((each) => each.get(oldest.name) === oldest)!, oldest);
    onLost(oldest.reports);
  };

  const settle = (pending: PendingCalls): void => {
    const calls = pending.workers.flatMap(({ barren, other }) => [...barren, ...other]);
    pending.settled = [...pending.settled, ...calls].slice(-maxCalls);
    pending.workers = [];
    pending.counted = 0;
  };

  return {
    add({ shard, name, tool, worker, call, kind, at, waitsSince }) {
      const queue = queues[shard]!;
      if (reports >= maxReports) loseOldest(queue);
      let pending = queue.get(name);
      if (pending === undefined) {
        pending = emptyCalls(name, tool, at, waitsSince);
        insert(queue, pending);
      }
      if (kind === "success") {
        settle(pending);
        pending.successAt = at;
        successes.set(name, at);
      } else if (pending.counted >= maxCalls) {
        onLost(1);
        return;
      } else {
        if (pending.counted++ === 0) pending.since = at;
        callsOf(pending, worker)[kind].push(call);
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
        for (const pending of queue.values()) {
          if (calls.length >= most) break;
          remove(queue, pending);
          if (pending.waitsSince < waitsSince) onLost(pending.reports);
          else calls.push(pending);
        }
        if (calls.length === 0) continue;
        next = (shard + 1) % shards;
        return { shard, calls };
      }
      return undefined;
    },
    putBack(shard, calls) {
      const later = queues[shard]!;
      const queue = new Map<string, PendingCalls>();
      queues[shard] = queue;
      for (const pending of calls) {
        const success = successes.get(pending.name);
        if (success !== undefined && success !== pending.successAt && success >= pending.since) settle(pending);
        insert(queue, pending);
      }
      for (const pending of later.values()) {
        const before = queue.get(pending.name);
        if (before === undefined) queue.set(pending.name, pending);
        else {
          fingerprints--;
          const left = join(before, pending, maxCalls, settle);
          reports -= left;
          if (left > 0) onLost(left);
        }
      }
      while (reports > maxReports) loseOldest(queue);
    },
    fingerprints: () => fingerprints,
    reports: () => reports,
    clear() {
      for (const queue of queues) queue.clear();
      fingerprints = 0;
      reports = 0;
    },
  };
}

function emptyCalls(name: string, tool: string, since: number, waitsSince: number): PendingCalls {
  const none = { successAt: undefined, settled: [], workers: [], counted: 0, reports: 0 };
  return { name, tool, since, waitsSince, ...none };
}

/** A process has few workers, mostly one. */
function callsOf(pending: PendingCalls, worker: string): WorkerCalls {
  const known = pending.workers.find((each) => each.worker === worker);
  if (known !== undefined) return known;
  const calls = { worker, barren: [], other: [] };
  pending.workers.push(calls);
  return calls;
}

/** Adds what came later to what was there before; returns how many calls had no room. */
function join(
  before: PendingCalls,
  later: PendingCalls,
  maxCalls: number,
  settle: (calls: PendingCalls) => void,
): number {
  if (later.successAt !== undefined) {
    settle(before);
    before.successAt = later.successAt;
  }
  if (before.counted === 0) before.since = later.since;
  let left = 0;
  for (const { worker, barren, other } of later.workers) {
    const calls = callsOf(before, worker);
    for (const [kind, more] of [
      ["barren", barren],
      ["other", other],
    ] as const) {
      const fitting = more.slice(0, maxCalls - before.counted);
      calls[kind].push(...fitting);
      before.counted += fitting.length;
      left += more.length - fitting.length;
    }
  }
  before.settled = [...before.settled, ...later.settled].slice(-maxCalls);
  before.tool = later.tool;
  before.reports += later.reports - left;
  return left;
}
