import type { PendingCalls } from "./pending-calls.ts";

/** The fingerprints of one shard that wait, in the order in which they came. */
export interface ShardQueue {
  get(name: string): PendingCalls | undefined;
  append(pending: PendingCalls): void;
  takeFirst(): PendingCalls | undefined;
  size(): number;
}

/** Places at the front that are given back together. */
const MAX_EMPTY = 1024;

/**
 * Creates an empty queue. The order stands beside the map: one that is asked for its first entry after many were deleted passes
 * over all of those.
 */
export function createShardQueue(): ShardQueue {
  const byName = new Map<string, PendingCalls>();
  let order: PendingCalls[] = [];
  let first = 0;

  return {
    get: (name) => byName.get(name),
    append(pending) {
      byName.set(pending.name, pending);
      order.push(pending);
    },
    takeFirst() {
      if (first === order.length) return undefined;
      const pending = order[first++]!;
      byName.delete(pending.name);
      if (first === order.length || (first >= MAX_EMPTY && first * 2 >= order.length)) {
        order = order.slice(first);
        first = 0;
      }
      return pending;
    },
    size: () => order.length - first,
  };
}
