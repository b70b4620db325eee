/**
 * How fast the run goes: the time from a result to the next call, where that call does something new.
 *
 * A pause is told by the run's own pace. A model that thinks for twenty seconds does not wait when it asks again after twenty.
 */
export interface Pace {
  /** A call is made at this time, as the first of its round; returns how long nothing had happened before, where that is known. */
  begin(at: number | undefined): number | undefined;
  /** A result came at this time. */
  end(at: number | undefined): void;
  /** The time before a call that does something new: what the run takes to think. */
  learn(gapMs: number): void;
  /** Whether a call that comes after this long was held back. */
  isPause(gapMs: number): boolean;
  save(): SavedPace;
}

export interface SavedPace {
  readonly gaps: readonly number[];
  readonly lastAt: number | null;
}

/** Gaps that are remembered. */
const MEMORY = 15;
/** What is assumed before anything is known, and how much it weighs. */
const PRIOR_MS = 5_000;
const PRIORS = 2;
/** A pause is at least this long, and this many times what the run takes to think. */
const SHORTEST_MS = 5_000;
const TIMES = 2;

/** Creates the memory of a run's pace, new or as it was saved. */
export function createPace(saved?: SavedPace): Pace {
  let gaps = [...(saved?.gaps ?? [])];
  let lastAt = saved?.lastAt ?? undefined;
  /** The median, found out when it is asked for. */
  let median: number | undefined;
  const medianMs = (): number => {
    const all = [...gaps, ...Array.from({ length: PRIORS }, () => PRIOR_MS)].sort((one, other) => one - other);
    return all[(all.length - 1) >> 1]!;
  };
  return {
    begin: (at) => (at === undefined || lastAt === undefined ? undefined : Math.max(0, at - lastAt)),
    end(at) {
      if (at !== undefined) lastAt = Math.max(at, lastAt ?? at);
    },
    learn(gapMs) {
      gaps = [...gaps, gapMs].slice(-MEMORY);
      median = undefined;
    },
    isPause(gapMs) {
      if (gapMs < SHORTEST_MS) return false;
      median ??= medianMs();
      return gapMs >= TIMES * median;
    },
    save: () => ({ gaps, lastAt: lastAt ?? null }),
  };
}
