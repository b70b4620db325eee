import { pushLatest } from "../collections/bounded.ts";

/**
 * How fast the run goes: the times from a result to the next call, where that call does something new.
 *
 * A pause is told by the run's own pace. A model that thinks for twenty seconds does not wait when it asks again after twenty.
 */
export interface Pace {
  readonly gaps: number[];
  lastAt: number | undefined;
}

/** Gaps that are remembered. */
const MEMORY = 15;
/** What is assumed before anything is known, as often as it stands here. */
const PRIORS_MS = [5_000, 5_000];
/** A pause is at least this long, and this many times what the run takes to think. */
const SHORTEST_MS = 5_000;
const TIMES = 2;

export function createPace(): Pace {
  return { gaps: [], lastAt: undefined };
}

/** A call is made at this time: returns whether it was held back. Calls that do something new tell how long the run takes to think. */
export function isPause(pace: Pace, at: number | undefined, isNewCall: boolean): boolean {
  if (at === undefined || pace.lastAt === undefined) return false;
  const gapMs = Math.max(0, at - pace.lastAt);
  if (isNewCall) pushLatest(pace.gaps, gapMs, MEMORY);
  return gapMs >= SHORTEST_MS && gapMs >= TIMES * medianMs(pace);
}

/** A result came at this time. */
export function endPause(pace: Pace, at: number | undefined): void {
  if (at !== undefined) pace.lastAt = Math.max(at, pace.lastAt ?? at);
}

function medianMs({ gaps }: Pace): number {
  const all = [...gaps, ...PRIORS_MS].sort((one, other) => one - other);
  return all[(all.length - 1) >> 1]!;
}
