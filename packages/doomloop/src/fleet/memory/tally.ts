import type { Digest } from "../../core/identity/digest.ts";

/** The calls with one fingerprint, grouped by the time they were made. */
export interface Tally {
  /** The tool's name in the latest report. */
  readonly tool: string;
  /** The latest slot that anything was added to. */
  readonly latestSlot: number;
  /** Calls that count. */
  readonly calls: number;
  /** The workers that made them. */
  workers(): ReadonlySet<string>;
  /** Counts a call, unless it is already known or the tally is full: a call that is not remembered could count twice. */
  add(id: Digest, worker: string, tool: string, slot: number): void;
  /** A call succeeded: earlier calls no longer count, but are still recognised if their reports arrive again. */
  settle(): void;
  /** Forgets all slots before this one. */
  forgetBefore(slot: number): void;
  /** What is remembered for each slot. */
  buckets(): Iterable<readonly [slot: number, bucket: Readonly<Bucket>]>;
}

interface Bucket {
  /** Calls that count, each with its worker. Calls are counted by their ids, so none can count twice. */
  counted: Map<Digest, string>;
  /** Calls that no longer count. */
  settled: Set<Digest>;
}

const MAX_TOOL_NAME = 128;

/** Creates an empty tally that remembers at most `capacity` calls. */
export function createTally(capacity: number): Tally {
  const buckets = new Map<number, Bucket>();
  let tool = "";
  let latestSlot = Number.NEGATIVE_INFINITY;

  const isKnown = (id: Digest): boolean => {
    for (const { counted, settled } of buckets.values()) if (counted.has(id) || settled.has(id)) return true;
    return false;
  };

  const isFull = (): boolean => {
    let remembered = 0;
    for (const { counted, settled } of buckets.values()) remembered += counted.size + settled.size;
    return remembered >= capacity;
  };

  return {
    get tool() {
      return tool;
    },
    get latestSlot() {
      return latestSlot;
    },
    get calls() {
      let calls = 0;
      for (const { counted } of buckets.values()) calls += counted.size;
      return calls;
    },
    workers() {
      const workers = new Set<string>();
      for (const { counted } of buckets.values()) for (const worker of counted.values()) workers.add(worker);
      return workers;
    },
    add(id, worker, name, slot) {
      tool = name.slice(0, MAX_TOOL_NAME);
      latestSlot = Math.max(latestSlot, slot);
      if (isKnown(id) || isFull()) return;
      const bucket = buckets.get(slot) ?? { counted: new Map(), settled: new Set() };
      bucket.counted.set(id, worker);
      buckets.set(slot, bucket);
    },
    settle() {
      for (const { counted, settled } of buckets.values()) {
        for (const id of counted.keys()) settled.add(id);
        counted.clear();
      }
    },
    forgetBefore(slot) {
      for (const own of buckets.keys()) if (own < slot) buckets.delete(own);
    },
    buckets: () => buckets.entries(),
  };
}
