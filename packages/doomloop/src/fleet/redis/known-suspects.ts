import { createRecencyTable } from "../recency-table.ts";

export interface Thresholds {
  readonly calls: number;
  readonly workers: number;
}

/** A call that the store has counted: at least this many calls, by at least this many processes. */
export interface Suspect extends Thresholds {
  readonly name: string;
  readonly tool: string;
  /** How much longer the counts hold. */
  readonly lastsMs: number;
}

/** The fleet's suspects that this process knows of. Some of them are dead ends. */
export type KnownSuspects = ReturnType<typeof createKnownSuspects>;

const MAX_KNOWN = 512;

export function createKnownSuspects(thresholds: Thresholds, now: () => number) {
  const known = createRecencyTable<{ readonly suspect: Suspect; readonly until: number }>(MAX_KNOWN);

  /** Undefined also for a suspect that has expired. */
  const get = (name: string): Suspect | undefined => {
    const { suspect, until = 0 } = known.get(name) ?? {};
    if (suspect === undefined || until > now()) return suspect;
    known.delete(name);
    return undefined;
  };

  return {
    get,
    /** Counts only grow until they are cleared, so a lower count is an older one that arrived late. */
    set(latest: Suspect): void {
      const { calls = 0, workers = 0 } = get(latest.name) ?? {};
      const suspect = { ...latest, calls: Math.max(calls, latest.calls), workers: Math.max(workers, latest.workers) };
      known.set(latest.name, { suspect, until: now() + latest.lastsMs });
    },
    delete: (name: string) => known.delete(name),
    /** The suspect, if it is a dead end. */
    deadEnd(name: string): Suspect | undefined {
      const suspect = get(name);
      return suspect !== undefined && isDeadEnd(suspect, thresholds) ? suspect : undefined;
    },
    list: (): Suspect[] => [...known.entries()].flatMap(([name]) => get(name) ?? []),
    isEmpty: () => known.size() === 0,
  };
}

export function isDeadEnd({ calls, workers }: Thresholds, least: Thresholds): boolean {
  return calls >= least.calls && workers >= least.workers;
}

/** Counts are capped here, because below this a HyperLogLog never counts too much. */
export const MAX_COUNTED = 100;

export function cappedCounts([calls = 0, workers = 0]: readonly number[]): Thresholds {
  return { calls: Math.min(calls, MAX_COUNTED), workers: Math.min(workers, MAX_COUNTED) };
}
