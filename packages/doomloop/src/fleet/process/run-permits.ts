import { createRecencyTable, type RecencyTable } from "../recency-table.ts";
import type { PermitAnswer, PermitQuestion } from "../store.ts";
import type { FleetParts } from "./store-fleet.ts";

/** Tracks the runs of this process and grants permits to stop them, so that not too many of a fleet are stopped within a window. */
export type RunPermits = ReturnType<typeof createRunPermits>;

const MAX_RUNS = 10_000;
const MAX_ASKING = 100;

type Parts = Pick<FleetParts, "settings" | "link">;

/** A question to the store, and what to do with its answer. */
interface PermitRequest extends PermitQuestion {
  take(answer: PermitAnswer): void;
  /** The store did not take it: asks again at the next heartbeat. */
  retry(): void;
}

/** `onAsking` is called when a run waits for the store's answer. */
export function createRunPermits({ settings, link }: Parts, now: () => number, onAsking: () => void) {
  const { windowMs, maxStoppedShare, stopsWhenAway } = settings;
  const active = createRecencyTable<number>(MAX_RUNS);
  const looping = createRecencyTable<number>(MAX_RUNS);
  const granted = createRecencyTable<number>(MAX_RUNS);
  const asking = new Set<string>();
  /** A run's place in the fleet's queue. A run that asks again keeps its place. */
  const places = createRecencyTable<{ readonly place: number; readonly at: number }>(MAX_RUNS);
  let fleetRuns = 0;
  let toldAt = Number.NEGATIVE_INFINITY;

  const sizeOf = (times: RecencyTable<number>): number => {
    times.sweep((at) => at < now() - windowMs);
    return times.size();
  };
  const budgetOf = (runs: number): number =>
    maxStoppedShare > 0 ? Math.max(1, Math.floor(maxStoppedShare * runs)) : 0;

  const grantAlone = (run: string): boolean => {
    if (stopsWhenAway !== "process") return stopsWhenAway === "alone";
    // Rounded down without a minimum of 1: otherwise processes with one run each could stop the whole fleet.
    if (sizeOf(granted) >= Math.floor(maxStoppedShare * sizeOf(active))) return false;
    granted.set(run, now());
    return true;
  };

  return {
    active: (run: string) => active.set(run, now()),
    looping: (run: string) => looping.set(run, now()),
    /** Active runs of the whole fleet, as the store last said, and active and looping runs of this process. */
    counts: () => ({ fleet: fleetRuns, active: sizeOf(active), looping: sizeOf(looping) }),
    /** Whether this run may be stopped now. If not, the store is asked for a permit. */
    mayStop(run: string): boolean {
      if (sizeOf(granted) > 0 && granted.get(run) !== undefined) return true;
      if (link.state() !== "connected") return grantAlone(run);
      if (asking.size < MAX_ASKING) asking.add(run);
      onAsking();
      return false;
    },
    isAsking: () => asking.size > 0,
    /** What to ask the store now; undefined if there is nothing to ask. With `isWriteForced`, something is written even if there are no runs. */
    request(isWriteForced = false): PermitRequest | undefined {
      places.sweep(({ at }) => at < now() - windowMs);
      const asked = [...asking];
      const queued = asked.filter((run) => places.get(run) === undefined);
      asking.clear();
      // Four times a window is enough for the count of active runs, and keeps a healthy process quiet.
      const isDue = now() - toldAt >= windowMs / 4 && (sizeOf(active) > 0 || isWriteForced);
      if (isDue) toldAt = now();
      if (!isDue && asked.length === 0) return undefined;
      return {
        runs: isDue ? [...active.entries()].map(([run]) => run) : [],
        places: queued.length,
        retry() {
          toldAt = Number.NEGATIVE_INFINITY;
        },
        take(answer) {
          fleetRuns = answer.runs;
          for (const [at, run] of queued.entries()) {
            const place = answer.places[at] ?? Infinity;
            if (Number.isFinite(place)) places.set(run, { place, at: now() });
          }
          for (const run of asked) {
            if ((places.get(run)?.place ?? Infinity) <= budgetOf(fleetRuns)) granted.set(run, now());
          }
        },
      };
    },
  };
}
