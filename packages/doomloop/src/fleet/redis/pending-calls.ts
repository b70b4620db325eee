/** What waits to be told of one fingerprint. */
export interface PendingCalls {
  readonly name: string;
  tool: string;
  /** When the oldest of the calls was reported, by the fleet's clock. */
  since: number;
  /** When it was reported, by a clock that nobody sets. */
  readonly waitsSince: number;
  /** When a call last got a worker further; undefined if none did. */
  successAt: number | undefined;
  /** Calls before that: they do not count, but are known if they are delivered again. */
  settled: readonly string[];
  /** Calls that count, by who made them. */
  workers: WorkerCalls[];
  /** How many those are. */
  counted: number;
  /** Reports in it, also those that are no calls to be counted. */
  reports: number;
}

interface WorkerCalls {
  readonly worker: string;
  barren: readonly string[];
  other: readonly string[];
}

/** Most fingerprints have one call: what they do not need is not made for them. */
const NONE: readonly string[] = [];

export function emptyCalls(name: string, tool: string, since: number, waitsSince: number): PendingCalls {
  return { name, tool, since, waitsSince, successAt: undefined, settled: NONE, workers: [], counted: 0, reports: 0 };
}

export function addCall(pending: PendingCalls, worker: string, kind: "barren" | "other", call: string): void {
  const calls = callsOf(pending, worker);
  if (calls[kind] === NONE) calls[kind] = [call];
  else (calls[kind] as string[]).push(call);
  pending.counted++;
}

/** A call got a worker further: those before it do not count any more. */
export function settleCalls(pending: PendingCalls, maxCalls: number): void {
  const calls = pending.workers.flatMap(({ barren, other }) => [...barren, ...other]);
  pending.settled = [...pending.settled, ...calls].slice(-maxCalls);
  pending.workers = [];
  pending.counted = 0;
}

/** Adds what came later to what was there before; returns how many calls had no room. */
export function joinCalls(before: PendingCalls, later: PendingCalls, maxCalls: number): number {
  if (later.successAt !== undefined) {
    settleCalls(before, maxCalls);
    before.successAt = later.successAt;
  }
  if (before.counted === 0) before.since = later.since;
  let left = 0;
  for (const { worker, barren, other } of later.workers) {
    for (const [kind, more] of [
      ["barren", barren],
      ["other", other],
    ] as const) {
      const fitting = more.slice(0, maxCalls - before.counted);
      for (const call of fitting) addCall(before, worker, kind, call);
      left += more.length - fitting.length;
    }
  }
  before.settled = [...before.settled, ...later.settled].slice(-maxCalls);
  before.tool = later.tool;
  before.reports += later.reports - left;
  return left;
}

/** A process has few workers, mostly one. */
function callsOf({ workers }: PendingCalls, worker: string): WorkerCalls {
  for (const known of workers) if (known.worker === worker) return known;
  const calls = { worker, barren: NONE, other: NONE };
  workers.push(calls);
  return calls;
}
