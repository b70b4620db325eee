import { createRecencyTable } from "../recency-table.ts";

/** What is known of a dead end. */
export interface DeadEnd {
  readonly name: string;
  readonly tool: string;
  readonly calls: number;
  /** Those of the calls that brought nothing; fewer than all only where every call counts. */
  readonly barren: number;
  readonly workers: number;
  readonly workerNames: readonly string[];
  /** How long it lasts if nobody calls again. */
  readonly lastsMs: number;
}

/** The dead ends that are known here, each for as long as it lasts. */
export interface DeadEnds {
  get(name: string): DeadEnd | undefined;
  set(deadEnd: DeadEnd): void;
  delete(name: string): void;
  list(): readonly DeadEnd[];
  /** Whether none is known; while one is remembered that is over, nobody knows yet. */
  isEmpty(): boolean;
  clear(): void;
}

const MAX_KNOWN = 10_000;

export function createDeadEnds(now: () => number): DeadEnds {
  const known = createRecencyTable<{ deadEnd: DeadEnd; until: number }>(MAX_KNOWN);
  return {
    get(name) {
      const entry = known.get(name);
      if (entry === undefined) return undefined;
      if (now() < entry.until) return entry.deadEnd;
      known.delete(name);
      return undefined;
    },
    set: (deadEnd) => known.set(deadEnd.name, { deadEnd, until: now() + deadEnd.lastsMs }),
    delete: (name) => known.delete(name),
    list() {
      const time = now();
      return [...known.entries()].filter(([, { until }]) => time < until).map(([, { deadEnd }]) => deadEnd);
    },
    isEmpty: () => known.size() === 0,
    clear: () => known.clear(),
  };
}

/** Whether it is a dead end by these thresholds: others may have told of it by theirs. */
export function isFound({ calls, workers }: DeadEnd, least: Pick<DeadEnd, "calls" | "workers">): boolean {
  return calls >= least.calls && workers >= least.workers;
}
