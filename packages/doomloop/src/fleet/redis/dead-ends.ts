import { createRecencyTable } from "../recency-table.ts";

export interface Thresholds {
  readonly calls: number;
  readonly workers: number;
}

/** What the store has counted of a fingerprint: at least so many calls by at least so many processes. */
export interface Suspect extends Thresholds {
  readonly name: string;
  readonly tool: string;
  /** How much longer it counts. */
  readonly lastsMs: number;
}

/** The suspects of the whole fleet that are known here. Some of them are dead ends. */
export type DeadEnds = ReturnType<typeof createDeadEnds>;

const MAX_KNOWN = 512;

export function createDeadEnds(thresholds: Thresholds, now: () => number) {
  const known = createRecencyTable<{ readonly suspect: Suspect; readonly until: number }>(MAX_KNOWN);

  /** Undefined as well for one that counts no more. */
  const get = (name: string): Suspect | undefined => {
    const { suspect, until = 0 } = known.get(name) ?? {};
    if (suspect === undefined || until > now()) return suspect;
    known.delete(name);
    return undefined;
  };

  return {
    get,
    /** Counts only grow until they are cleared: one that is lower is older, and was told late. */
    set(heard: Suspect): void {
      const { calls = 0, workers = 0 } = get(heard.name) ?? {};
      const suspect = { ...heard, calls: Math.max(calls, heard.calls), workers: Math.max(workers, heard.workers) };
      known.set(heard.name, { suspect, until: now() + heard.lastsMs });
    },
    delete: (name: string) => known.delete(name),
    /** One that is a dead end. */
    found(name: string): Suspect | undefined {
      const suspect = get(name);
      return suspect !== undefined && isFound(suspect, thresholds) ? suspect : undefined;
    },
    list: (): Suspect[] => [...known.entries()].flatMap(([name]) => get(name) ?? []),
    isEmpty: () => known.size() === 0,
  };
}

export function isFound({ calls, workers }: Thresholds, least: Thresholds): boolean {
  return calls >= least.calls && workers >= least.workers;
}

/** The store counts up to here, "at least" beyond: below it, a HyperLogLog never says too much. */
export const MAX_COUNTED = 100;

export function counted([calls = 0, workers = 0]: readonly number[]): Thresholds {
  return { calls: Math.min(calls, MAX_COUNTED), workers: Math.min(workers, MAX_COUNTED) };
}
